import type { Locator, Page } from '@playwright/test';
import { markedLabel, type Form } from '../../form-service/src/contract/define-form.ts';
import { application } from '../../form-service/src/contract/forms/application.ts';
import { contact } from '../../form-service/src/contract/forms/contact.ts';
import type { FieldWords, FormWords } from '../../form-service/src/contract/form-words.ts';
import { wordsOf } from '../../form-service/src/contract/words.ts';

/** Words of the enquiry, and of the application. */
export const enquiryWords = wordsOf('contact');
export const applicationWords = wordsOf('application');

/** Returns a text of a field, such as its error, which must exist. */
export function fieldText({ fields }: FormWords, field: string, word: Exclude<keyof FieldWords, 'options'>): string {
  const text = fields[field]?.[word];
  if (text === undefined) throw new Error(`The field ${field} has no ${word}`);
  return text;
}

/** Returns the control of a field by its label, as visitors find it. */
const controlOf =
  ({ fields }: Form) =>
  (page: Page, name: string): Locator => {
    const field = fields.find((one) => one.name === name);
    if (!field) throw new Error(`The form has no field ${name}`);
    return page.getByLabel(markedLabel(field), { exact: true });
  };
export const enquiryField = controlOf(contact);
export const applicationField = controlOf(application);
