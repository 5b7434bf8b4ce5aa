import { join } from 'node:path';
import { normalizePath, type Plugin, type ResolvedConfig } from 'vite';
import type { Form } from '../../form-service/src/contract/define-form.ts';
import { OPEN_FORMS } from '../../form-service/src/contract/forms.ts';
import { DATE_LOCALE, LOCALE } from '../../form-service/src/contract/locale.ts';
import { readWords, WORDS_FILE } from '../../form-service/src/contract/words.ts';

/** Path of the script that draws a form in the browser, within the site. It is written by {@link forms}. */
export const islandPath = (form: string) => `src/features/islands/${form}.ts`;

/** Entry of the script of each form, by its name. */
export const islandEntries = Object.fromEntries(OPEN_FORMS.map(({ kind }) => [kind, islandPath(kind)]));

/** Component of each kind of control that `Field` does not draw, and its module. */
const CONTROLS: Readonly<Record<string, readonly [component: string, module: string]>> = {
  file: ['FileInput', '../file-input.tsx'],
  radio: ['ChoiceField', '../../components/ui/choice-field.tsx'],
  checkbox: ['ChoiceField', '../../components/ui/choice-field.tsx'],
};

const formComponent = ({ place }: Form) => (place === 'dialog' ? 'DialogForm' : 'SectionForm');

const controlsOf = ({ fields }: Form) =>
  Object.entries(CONTROLS).filter(([control]) => fields.some(({ input }) => input === control));

/** Modules that the script of a form imports, by their components. */
const modulesOf = (form: Form): ReadonlyMap<string, string> =>
  new Map([[formComponent(form), `../${form.place}-form.tsx`], ...controlsOf(form).map(([, control]) => control)]);

const CALL = /wordsOf\('(\w+)'\)/g;
const IMPORT = /^import \{ wordsOf \} from '[./]+words\.ts';\n/m;

/**
 * Provides the forms of the contract to the browser: the words and the language in place of what reads them, and an
 * entry for each form, with the controls that it needs and no others.
 */
export function forms(): Plugin {
  let config: ResolvedConfig;
  const kindOf = (id: string) =>
    OPEN_FORMS.find(({ kind }) => normalizePath(id) === normalizePath(join(config.root, islandPath(kind))));
  return {
    name: 'forms',
    enforce: 'pre',
    configResolved(resolved) {
      config = resolved;
    },
    resolveId(id) {
      const path = id.startsWith('/src/') || id.startsWith('src/') ? join(config.root, id) : id;
      return kindOf(path) ? path : undefined;
    },
    load(id) {
      if (id.endsWith('/contract/locale.ts'))
        return `export const LOCALE = '${LOCALE}';\nexport const DATE_LOCALE = '${DATE_LOCALE}';`;
      const form = kindOf(id);
      if (!form) return undefined;
      const used = controlsOf(form);
      const modules = modulesOf(form);
      const others = [...new Map(OPEN_FORMS.flatMap((other) => [...modulesOf(other)]))].filter(
        ([component]) =>
          !modules.has(component) && OPEN_FORMS.filter((other) => modulesOf(other).has(component)).length > 1,
      );
      const Form = formComponent(form);
      return [
        `import { createElement } from 'react';`,
        `import { ${form.kind} as form } from 'form-service/contract/forms/${form.kind}';`,
        `import { hydrator } from '../hydrate.ts';`,
        ...[...modules].map(([component, module]) => `import { ${component} } from '${module}';`),
        // Modules that several forms share are one script if every form has them. Otherwise each mix has its own.
        ...others.map(([component, module]) => `export { ${component} } from '${module}';`),
        `const controls = { ${used.map(([input, [component]]) => `${input}: ${component}`).join(', ')} };`,
        `export const hydrate = hydrator(() => createElement(${Form}, { form, controls }));`,
      ].join('\n');
    },
    transform(code, id) {
      if (!id.includes('/contract/') || code.search(CALL) < 0) return undefined;
      this.addWatchFile(WORDS_FILE.pathname);
      this.addWatchFile(new URL('company.yaml', WORDS_FILE).pathname);
      const words = readWords().forms;
      const literal = (_: string, name: string) => JSON.stringify(words[name]);
      return { code: code.replace(IMPORT, '').replaceAll(CALL, literal), map: null };
    },
  };
}
