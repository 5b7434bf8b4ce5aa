import { expect, test } from '@jest/globals';
import { defineForm, type FormRule } from '../../../form-service/src/contract/define-form.ts';
import { FORMS } from '../../../form-service/src/contract/forms.ts';
import { wordsOf } from '../../../form-service/src/contract/words.ts';
import { toLine } from './findings.ts';
import { formMistakes } from './form-mistakes.ts';

const EMAIL = { name: 'email', input: 'email', role: 'email', isRequired: true } as const;
const RULE = { kind: 'survey', path: '/api/survey', page: '/survey', place: 'section', fields: [EMAIL] } as const;

/** Returns the mistakes of a form next to those of the site, without the name of its file. */
const mistakesIn = (rule: object) =>
  [...formMistakes([...FORMS, defineForm({ ...RULE, ...rule } as FormRule, wordsOf('contact'))])].map(
    ({ message }) => message,
  );
const FILE = { name: 'one', input: 'file' };

test('forms of the site > have no mistake', () => {
  expect([...formMistakes(FORMS)]).toEqual([]);
  expect(mistakesIn({})).toEqual([]);
});

test.each<[rule: object, message: string]>([
  [{ kind: 'sur-vey' }, 'kind: "sur-vey" must be letters and digits, such as "survey"'],
  [{ kind: 'hr' }, 'kind: "hr" is taken: choose another one'],
  [{ kind: 'contact' }, 'kind: "contact" is taken: choose another one'],
  [{ path: '/survey' }, 'path: /survey must be /api/ and letters, digits or hyphens'],
  [{ path: '/api/contact' }, 'path: /api/contact is taken: choose another one'],
  [{ path: '/api/form-token' }, 'path: /api/form-token is taken: choose another one'],
  [{ fields: [{ ...EMAIL, role: undefined }] }, "no field has role: 'email', to which answers are sent"],
  [{ fields: [{ ...EMAIL, input: 'text' }] }, "email: role: 'email' needs input: 'email'"],
  [{ fields: [EMAIL, { name: 'email', input: 'text' }] }, "name: 'email' is the name of another field"],
  [{ fields: [EMAIL, { ...EMAIL, name: 'more' }] }, "more: role: 'email' is that of another field"],
  [{ fields: [EMAIL, { name: 'topicNote', input: 'text' }] }, "name: 'topicNote' cannot be the name of a field"],
  [{ fields: [EMAIL, { name: 'first name', input: 'text' }] }, "name: 'first name' cannot be the name of a field"],
  [{ fields: [EMAIL, FILE, { ...FILE, name: 'two' }] }, 'two: a form has one file at most'],
])('reports %j', (rule, message) => {
  expect(mistakesIn(rule)).toEqual([message]);
});

test('names the file and line > a form is not in the list, or not on its page', () => {
  const [, ...others] = FORMS;
  const folder = 'form-service/src/contract/forms';
  expect([...formMistakes(others)].map(toLine)).toEqual([
    `${folder}/contact.ts:1: no form in form-list.ts has this name as its kind: add it to FORMS`,
  ]);
  const moved = FORMS.map((form) => ({ ...form, kind: form.kind, path: form.path, rules: form.rules, page: '/moved' }));
  expect([...formMistakes(moved, [{ form: 'contact', path: '/contact' }])].map(toLine)).toEqual([
    `${folder}/contact.ts:9: page: /moved has no section with this form; /contact has one`,
  ]);
});
