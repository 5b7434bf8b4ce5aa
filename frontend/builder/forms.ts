import { join } from 'node:path';
import { normalizePath, type Plugin } from 'vite';
import type { Form } from '../../form-service/src/contract/define-form.ts';
import { formOf, OPEN_FORMS } from '../../form-service/src/contract/forms.ts';
import { DATE_LOCALE, LOCALE } from '../../form-service/src/contract/locale.ts';
import { readWords, WORDS_FILE } from '../../form-service/src/contract/words.ts';
import { FRONTEND } from './paths.ts';

const ISLAND = /src\/features\/islands\/(\w+)\.ts$/;

/** Entry of the script of each form, by its name. It is written by {@link forms}. */
export const islandEntries = Object.fromEntries(
  OPEN_FORMS.map(({ kind }) => [kind, `src/features/islands/${kind}.ts`]),
);

const CALL = /wordsOf\('(\w+)'\)/g;
const IMPORT = /^import \{ wordsOf \} from '[./]+words\.ts';\n/m;

/**
 * Provides the forms of the contract to the browser: the words and the language in place of what reads them, and an
 * entry for each form.
 */
export function forms(): Plugin {
  return {
    name: 'forms',
    enforce: 'pre',
    resolveId(id) {
      const [path] = ISLAND.exec(id) ?? [];
      return path && join(FRONTEND, path);
    },
    load(id) {
      if (id.endsWith('/contract/locale.ts'))
        return `export const LOCALE = '${LOCALE}';\nexport const DATE_LOCALE = '${DATE_LOCALE}';`;
      const form = formOf(ISLAND.exec(normalizePath(id))?.[1] ?? '');
      if (!form) return undefined;
      const component = form.place === 'dialog' ? 'DialogForm' : 'SectionForm';
      return `
        import { ${form.kind} } from 'form-service/contract/forms/${form.kind}';
        import { hydrator } from '../hydrate.ts';
        import { ${component} } from '../${form.place}-form.tsx';
        export const hydrate = hydrator(${component}, ${form.kind});`;
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

/** Properties of a form that decide how nginx passes it on. */
export type ProxiedForm = Pick<Form, 'path' | 'file'>;

/** Returns an nginx map from a request to the largest part of its form's body, and to `none` for every other request. */
export const formMap = (all: readonly ProxiedForm[]): string =>
  [
    'map $request_uri $form_body {',
    '  default none;',
    ...all.map(({ path, file }) => `  "~^${path}(\\?|$)" ${file ? 'file' : 'text'};`),
    '}',
    '',
  ].join('\n');

/** Returns an nginx location with the limits of each form with a file. Others have that of the api. */
export const formLocations = (all: readonly ProxiedForm[]): string =>
  all
    .filter((form) => form.file)
    .map(({ path }) => `location = ${path} { include snippets/form-file.conf; }\n`)
    .join('');
