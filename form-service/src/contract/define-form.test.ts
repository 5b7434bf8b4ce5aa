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

it('a role > is that of one field at most, and every form has an address', () => {
  for (const { kind, fields } of FORMS) {
    const roles = fields.flatMap(({ role }) => role ?? []);
    expect([kind, roles.toSorted()]).toEqual([kind, [...new Set(roles)].toSorted()]);
    expect(roles).toContain('email');
  }
});

it('markedLabel > adds a mark to required fields, and to optional ones that say so', () => {
  for (const field of FORMS.flatMap(({ fields }) => fields)) {
    const optional = field.saysOptional ? ` ${messages.optional}` : '';
    expect(markedLabel(field)).toBe(`${field.label}${field.required ? ' *' : optional}`);
  }
});
