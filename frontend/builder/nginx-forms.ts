import type { Form } from '../../form-service/src/contract/define-form.ts';

/** Properties of a form that decide how nginx passes it on. */
export type ProxiedForm = Pick<Form, 'path' | 'file'>;

/** Content of the largest part of a form's body. A file has its limits in `nginx/snippets/form-file.conf`. */
const bodyOf = ({ file }: ProxiedForm) => (file ? 'file' : 'text');

/** Returns an nginx map from a request to the body of its form, and to `none` for every other request. */
export const formMap = (forms: readonly ProxiedForm[]): string =>
  [
    'map $request_uri $form_body {',
    '  default none;',
    ...forms.map((form) => `  "~^${form.path}(\\?|$)" ${bodyOf(form)};`),
    '}',
    '',
  ].join('\n');

/** Returns an nginx location for each form with a file. Others have that of the api. */
export const formLocations = (forms: readonly ProxiedForm[]): string =>
  forms
    .filter((form) => form.file)
    .map(({ path }) => `location = ${path} { include snippets/form-file.conf; }\n`)
    .join('');
