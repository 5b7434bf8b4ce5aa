import type { Form } from '../../form-service/src/contract/define-form.ts';

/** Properties of a form that decide how nginx passes it on. */
export type ProxiedForm = Pick<Form, 'path' | 'file'>;

/** Content of the largest part of a form's body. Each has its limits in `nginx/snippets/form-*.conf`. */
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

/** Returns an nginx location for each form. */
export const formLocations = (forms: readonly ProxiedForm[]): string =>
  forms.map((form) => `location = ${form.path} { include snippets/form-${bodyOf(form)}.conf; }\n`).join('');
