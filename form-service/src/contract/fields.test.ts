import { expect, it } from '@jest/globals';
import { applicationSchema, emptyApplication } from './application.ts';
import { contactSchema, emptyContact } from './contact.ts';
import { applicationFields, contactFields, markedLabel } from './fields.ts';

it('fields > match the schema of each form', () => {
  expect(contactFields.map(({ name }) => name)).toEqual(Object.keys(contactSchema.fields));
  const drawn: readonly string[] = applicationFields.map(({ name }) => name).filter((name) => name !== 'resume');
  expect(drawn.toSorted()).toEqual(Object.keys(applicationSchema.fields).toSorted());
});

it('fields > are required exactly if the schema rejects an empty value', () => {
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

it('markedLabel > adds a mark to required fields, and to optional ones that say so', () => {
  for (const field of [...contactFields, ...applicationFields]) {
    const optional = field.saysOptional ? ' (Optional)' : '';
    expect(markedLabel(field)).toBe(`${field.label}${field.required ? ' *' : optional}`);
  }
});

// Quoted by the specification.
it.each([
  ['contact form', contactFields, ['Name *', 'Email *', 'Phone (Optional)', 'Service *', 'Message *']],
  [
    'application form',
    applicationFields,
    [
      'Full Name *',
      'Email Address *',
      'Phone Number',
      'Position of Interest',
      'Years of Experience',
      'Resume/CV *',
      'Cover Letter / Message',
    ],
  ],
])('%s > has the specified labels in order, next to any others', (_form, fields, specified) => {
  const labels = fields.map((field) => markedLabel(field));
  expect(labels.filter((label) => specified.includes(label))).toEqual(specified);
});
