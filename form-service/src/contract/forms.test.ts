import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { defineForm } from './define-form.ts';
import { fieldWithRole, FORM_KINDS, FORMS } from './forms.ts';
import { wordsOf } from './words.ts';

const REPOSITORY = new URL('../../../', import.meta.url);

it('no source but those of the forms > names a form', () => {
  const sources = globSync(['form-service/src/**/*.ts', 'frontend/{src,builder}/**/*.{ts,tsx}'], { cwd: REPOSITORY });
  const named = new RegExp(`['"\`](?:${FORM_KINDS.join('|')})['"\`]`);
  const found = sources.filter(
    (file) =>
      !/\.(?:test|integration)\.tsx?$|contract\/forms\/|database\/migrations\//.test(file) &&
      named.test(readFileSync(new URL(file, REPOSITORY), 'utf8')),
  );
  expect(found).toEqual([]);
});

/** Names of roles and of the words of all forms, and the path of the service itself. */
const RESERVED = ['all', 'sales', 'hr', '/api/form-token'];

it('forms > have names and paths that no other form, role or location of nginx has', () => {
  const names = FORMS.flatMap(({ kind, path }) => [kind, path]);
  expect(new Set([...RESERVED, ...names]).size).toBe(RESERVED.length + names.length);
  for (const { kind } of FORMS) expect(kind).toMatch(/^[a-z][a-z\d]*$/i);
  for (const { path } of FORMS) expect(path).toMatch(/^\/api\/[a-z\d-]+$/i);
});

it.each(FORMS)(
  'the form $kind > has one address for answers, one file at most, and fields of their own',
  ({ rules }) => {
    const fields = rules.map(({ name }) => name);
    const roles = rules.flatMap(({ role }) => role ?? []);
    expect(rules.filter(({ role, input }) => role === 'email' && input === 'email')).toHaveLength(1);
    expect(rules.filter(({ input }) => input === 'file').length).toBeLessThanOrEqual(1);
    expect([new Set(fields).size, new Set(roles).size]).toEqual([fields.length, roles.length]);
    for (const name of fields) expect(name).toMatch(/^(?!topicNote$)[a-z]\w*$/i);
  },
);

it('a retired field > is not asked, and keeps its label', () => {
  const words = wordsOf('contact');
  const form = defineForm(
    {
      kind: 'contact',
      path: '/api/contact',
      page: '/contact',
      place: 'section',
      fields: [
        { name: 'email', input: 'email', role: 'email', isRequired: true },
        { name: 'phone', input: 'tel', role: 'phone', isRetired: true },
      ],
    },
    words,
  );
  expect(form.fields.map(({ name }) => name)).toEqual(['email']);
  expect(form.retiredFields.map(({ label }) => label)).toEqual([words.fields['phone']?.label]);
  expect(fieldWithRole(form, 'phone')?.name).toBe('phone');
  expect(form.schema.cast({ email: 'a@b.cd', phone: '1' })).toEqual({ email: 'a@b.cd' });
});
