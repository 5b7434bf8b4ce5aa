import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FieldRule, Form } from '../../../form-service/src/contract/define-form.ts';
import { HONEYPOT } from '../../../form-service/src/contract/protocol.ts';
import { REPOSITORY } from '../paths.ts';
import { mistake, type Finding } from './findings.ts';

/** Mistakes in the rules of forms that neither TypeScript nor a look at the form shows. */

/** Names of roles and of the words of all forms, and paths of the service itself. */
const RESERVED: ReadonlySet<string> = new Set(['all', 'sales', 'hr', '/api/form-token']);

const FOLDER = 'form-service/src/contract/forms';

/** Returns the number of the line with a text, from 1, the last of several; 1 for a form without a file of its name. */
function lineOf(file: string, text: string): number {
  const source = existsSync(join(REPOSITORY, file)) ? readFileSync(join(REPOSITORY, file), 'utf8') : '';
  return Math.max(source.split('\n').findLastIndex((line) => line.includes(text)) + 1, 1);
}

/**
 * Finds rules that would stop nginx, hide a form or lose a part of a submission.
 *
 * @param sections forms that pages have, with the path of the page
 */
export function* formMistakes(
  forms: readonly Form[],
  sections: readonly { readonly form: string; readonly path: string }[] = [],
): Generator<Finding> {
  for (const file of readdirSync(join(REPOSITORY, FOLDER)))
    if (!file.endsWith('.test.ts') && !forms.some(({ kind }) => file === `${kind}.ts`))
      yield mistake(`${FOLDER}/${file}`, 1, 'no form in form-list.ts has this name as its kind: add it to FORMS');
  for (const [index, form] of forms.entries()) {
    const { kind, path, page, rules } = form;
    const file = `${FOLDER}/${kind}.ts`;
    const earlier = forms.slice(0, index);
    const pages = sections.filter((section) => section.form === kind).map((section) => section.path);
    const wrong = [
      [!/^[a-z][a-z\d]*$/i.test(kind) && `kind: "${kind}" must be letters and digits, such as "survey"`, 'kind:'],
      [isTaken(kind, earlier, 'kind') && `kind: "${kind}" is taken: choose another one`, 'kind:'],
      [!/^\/api\/[a-z\d-]+$/i.test(path) && `path: ${path} must be /api/ and letters, digits or hyphens`, 'path:'],
      [isTaken(path, earlier, 'path') && `path: ${path} is taken: choose another one`, 'path:'],
      [
        pages.length > 0 &&
          !pages.includes(page) &&
          `page: ${page} has no section with this form; ${pages.join()} has one`,
        'page:',
      ],
      [
        !rules.some(({ role }) => role === 'email') && "no field has role: 'email', to which answers are sent",
        'fields:',
      ],
      ...rules.map((field, place) => [fieldMistake(field, rules.slice(0, place)), `name: '${field.name}'`] as const),
    ] as const;
    for (const [message, text] of wrong) if (message) yield mistake(file, lineOf(file, text), message);
  }
}

const isTaken = (value: string, earlier: readonly Form[], key: 'kind' | 'path') =>
  RESERVED.has(value) || earlier.some((form) => form[key] === value);

function fieldMistake({ name, input, role }: FieldRule, earlier: readonly FieldRule[]): string | undefined {
  if (!/^[a-z]\w*$/i.test(name) || name === HONEYPOT) return `name: '${name}' cannot be the name of a field`;
  if (earlier.some((other) => other.name === name)) return `name: '${name}' is the name of another field`;
  if (role === 'email' && input !== 'email') return `${name}: role: 'email' needs input: 'email'`;
  if (role && earlier.some((other) => other.role === role)) return `${name}: role: '${role}' is that of another field`;
  if (input === 'file' && earlier.some((other) => other.input === 'file'))
    return `${name}: a form has one file at most`;
  return undefined;
}
