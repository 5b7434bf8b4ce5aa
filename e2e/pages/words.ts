import { wordsOf, type FieldWords, type FormWords } from '../../form-service/src/contract/words.ts';

/** Words of the enquiry, and of the application. */
export const enquiryWords = wordsOf('contact');
export const applicationWords = wordsOf('application');

/** Returns a text of a field, such as its error, which must exist. */
export function fieldText({ fields }: FormWords, field: string, word: Exclude<keyof FieldWords, 'options'>): string {
  const text = fields[field]?.[word];
  if (text === undefined) throw new Error(`The field ${field} has no ${word}`);
  return text;
}
