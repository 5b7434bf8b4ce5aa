import { expect, test } from '@jest/globals';
import { applicationSchema, emptyApplication } from './application.ts';
import { contactSchema, emptyContact } from './contact.ts';
import { applicationFields, contactFields } from './fields.ts';

test('Each form has exactly the fields of its schema', () => {
  expect(contactFields.map(({ name }) => name)).toEqual(Object.keys(contactSchema.fields));
  const drawn: readonly string[] = applicationFields.map(({ name }) => name).filter((name) => name !== 'resume');
  expect(drawn.toSorted()).toEqual(Object.keys(applicationSchema.fields).toSorted());
});

test('A field is marked required exactly where its schema refuses an empty value', () => {
  const refuses = (schema: typeof contactSchema | typeof applicationSchema, empty: object, name: string) => {
    try {
      schema.validateSyncAt(name, empty);
      return false;
    } catch {
      return true;
    }
  };
  for (const { name, required } of contactFields)
    expect([name, refuses(contactSchema, emptyContact, name)]).toEqual([name, required]);
  for (const { name, required } of applicationFields) {
    if (name !== 'resume') expect([name, refuses(applicationSchema, emptyApplication, name)]).toEqual([name, required]);
  }
});

test('Every required label has its mark', () => {
  for (const { label, required } of [...contactFields, ...applicationFields])
    expect([label, label.endsWith('*')]).toEqual([label, required]);
});
