import { expect, test } from '@jest/globals';
import type { FieldRule, Form, FormRule } from '../../../form-service/src/contract/define-form.ts';
import { defineForm } from '../../../form-service/src/contract/define-form.ts';
import { FORMS } from '../../../form-service/src/contract/forms.ts';
import { wordsOf } from '../../../form-service/src/contract/words.ts';
import { toLine } from './findings.ts';
import { formMistakes } from './form-mistakes.ts';

const EMAIL = { name: 'email', input: 'email', role: 'email', isRequired: true } as const;
const RULE = { kind: 'survey', path: '/api/survey', page: '/survey', place: 'section', fields: [EMAIL] } as const;

/** Returns the mistakes of a form next to those of the site, without the name of its file. */
function mistakesIn(rule: object): string[] {
  const { fields, ...rest } = { ...RULE, ...rule } as FormRule;
  const words = Object.fromEntries(fields.map(({ name }) => [name, { label: name }]));
  const form: Form = defineForm({ ...rest, fields }, { ...wordsOf('contact'), fields: words });
  return [...formMistakes([...FORMS, form])].map(({ message }) => message);
}
const withField = (field: object) => mistakesIn({ fields: [EMAIL, { name: 'more', input: 'text', ...field }] });

test('forms of the site > have no mistake', () => {
  expect([...formMistakes(FORMS)]).toEqual([]);
  expect(mistakesIn({})).toEqual([]);
});

test.each<[rule: object, message: string]>([
  [{ kind: 'sur-vey' }, 'kind: "sur-vey" must be letters and digits, such as "survey"'],
  [{ kind: 'hr' }, 'kind: "hr" is the name of a role or of words: choose another one'],
  [{ kind: 'contact' }, 'kind: "contact" is another form: choose another one'],
  [{ path: '/survey' }, 'path: /survey must be /api/ and letters, digits or hyphens'],
  [{ path: '/api/contact' }, 'path: /api/contact is the path of the form "contact": choose another one'],
  [{ path: '/api/form-token' }, 'path: /api/form-token is a path of the service itself: choose another one'],
  [{ fields: [{ ...EMAIL, role: undefined }] }, "no field has role: 'email', to which answers are sent"],
  [{ fields: [EMAIL, { name: 'email', input: 'text' }] }, "name: 'email' is the name of another field"],
])('reports a mistake of a form > %j', (rule, message) => {
  expect(mistakesIn(rule)).toEqual([message]);
});

test.each<[field: object, message: string]>([
  [{ name: 'topicNote' }, "name: 'topicNote' cannot be the name of a field"],
  [{ name: 'first name' }, "name: 'first name' cannot be the name of a field"],
  [{ isRequird: true }, 'more: isRequird has no meaning, did you mean "isRequired"?'],
  [{ input: 'txt' }, `more: input: 'txt' does not exist, did you mean "text"?`],
  [{ role: 'bodi' }, `more: role: 'bodi' does not exist, did you mean "body"?`],
  [{ input: 'email', role: 'email' }, `more: role: 'email' is that of "email" already: one field has it`],
  [{ input: 'select' }, "more: a select needs options: ['One', 'Another']"],
  [{ input: 'radio', options: [] }, "more: a radio needs options: ['One', 'Another']"],
  [{ input: 'radio', options: ['A', 'A'] }, 'more: an option is there twice'],
  [{ input: 'select', options: ['A', ''] }, 'more: an option has no text'],
  [{ options: ['A'] }, "more: a field with input: 'text' has no options"],
  [{ input: 'number', min: 'one' }, 'more: min and max of a number are numbers, such as 1'],
  [{ input: 'number', min: 2, max: 1 }, 'more: min is greater than max, so that no value is accepted'],
  [{ input: 'date', min: '01.01.2026' }, "more: min and max of a date are days, such as '2026-01-31'"],
  [{ min: 0 }, 'more: a text has a min of 1 or more, and no max'],
  [{ max: 9 }, 'more: a text has a min of 1 or more, and no max'],
  [{ input: 'checkbox', min: 1 }, "more: min and max have no effect on input: 'checkbox'"],
])('reports a mistake of a field > %j', (field, message) => {
  expect(withField(field)).toEqual([message]);
});

test.each(['One', [{ AI: 'strategy' }, 'Two']])('leaves options that are no texts to wording.yaml > %j', (options) => {
  expect(withField({ input: 'radio', options })).toEqual([]);
});

test('reports a second file', () => {
  const fields: FieldRule[] = ['one', 'two'].map((name) => ({ name, input: 'file' }));
  expect(mistakesIn({ fields: [EMAIL, ...fields] })).toEqual(['two: a form has one file at most']);
});

test('reports a form that is not in the list', () => {
  const [, ...others] = FORMS;
  expect([...formMistakes(others)].map(toLine)).toEqual([
    'form-service/src/contract/forms/contact.ts:1: no form in form-list.ts has this name as its kind: add it to FORMS',
  ]);
});

test('names file and line, and the page that has the form', () => {
  const moved = FORMS.map((form) => ({ ...form, page: '/moved' }));
  const [found, ...rest] = [...formMistakes(moved, [{ form: 'contact', path: '/contact' }])].map(toLine);
  expect(found).toMatch(
    /^form-service\/src\/contract\/forms\/contact\.ts:9: page: \/moved has no section with this form; \/contact has one$/,
  );
  expect(rest).toEqual([]);
});
