import { expect, it } from '@jest/globals';
import { markedLabel } from './define-form.ts';
import { FORMS } from './forms.ts';
import { messages } from './messages.ts';

it('fields > are required exactly if the schema rejects an empty value', () => {
  for (const { fields, schema, empty } of FORMS)
    for (const { name, input, required } of fields) {
      if (input === 'file') continue;
      const isRefused = () => {
        try {
          schema.validateSyncAt(name, empty);
          return false;
        } catch {
          return true;
        }
      };
      expect([name, isRefused()]).toEqual([name, required]);
    }
});

it('markedLabel > adds a mark to required fields, and to optional ones that say so', () => {
  for (const field of FORMS.flatMap(({ fields }) => fields)) {
    const optional = field.saysOptional ? ` ${messages.optional}` : '';
    expect(markedLabel(field)).toBe(`${field.label}${field.required ? ' *' : optional}`);
  }
});

it('a file > is offered by extension and by media type', () => {
  const accepted = FORMS.flatMap(({ file }) => file?.accept?.split(',') ?? []);
  expect(accepted).toEqual(expect.arrayContaining(['.pdf', '.docx', 'application/pdf', 'application/msword']));
});
