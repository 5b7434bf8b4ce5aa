import { application } from './forms/application.ts';
import { contact } from './forms/contact.ts';
export { markedLabel, MAX_CHARS, type FormField } from './define-form.ts';

export const contactFields = contact.fields;
export const applicationFields = application.fields;
