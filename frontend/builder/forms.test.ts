import { expect, test } from '@jest/globals';
import { FORMS } from '../../form-service/src/contract/forms.ts';
import { formLocations, formMap, type ProxiedForm } from './forms.ts';

const file = FORMS.find((form) => form.file)?.file;
const forms: readonly ProxiedForm[] = [
  { path: '/api/callback', file: undefined },
  { path: '/api/portfolio', file },
];

test('nginx > knows the exact requests of each form, and whether it has a file', () => {
  expect(formMap(forms)).toBe(`map $request_uri $form_body {
  default none;
  "~^/api/callback(\\?|$)" text;
  "~^/api/portfolio(\\?|$)" file;
}
`);
});

test('nginx > has a location with the limits of each form with a file', () => {
  expect(formLocations(forms)).toBe(`location = /api/portfolio { include snippets/form-file.conf; }
`);
});
