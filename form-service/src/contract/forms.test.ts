import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { defineForm } from './define-form.ts';
import { fieldWithRole, FORM_KINDS } from './forms.ts';
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

it('a form > has no name of a role or of the words of all forms', () => {
  for (const kind of ['all', 'sales', 'hr']) expect(FORM_KINDS).not.toContain(kind);
});

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
