import type { Form, FieldRole, FormValues } from './define-form.ts';
import { application } from './forms/application.ts';
import { contact } from './forms/contact.ts';

/** All forms, in the order in which staff see them. This is the only list of them. */
export const FORMS: readonly Form[] = [contact, application];

/** Name of a form, as the database has it. */
export type FormKind = string;

export const FORM_KINDS: readonly FormKind[] = FORMS.map(({ kind }) => kind);

/** The form that the site's positions open. */
export const DIALOG_FORM = FORMS.find(({ place }) => place === 'dialog');

/** The form whose topic links can choose, such as `/contact?service=Web%20Development`. */
export const TOPIC_FORM = FORMS.find(({ fields }) => fields.some(({ role, options }) => role === 'topic' && options));

const byKind = new Map(FORMS.map((form) => [form.kind, form]));

export const formOf = (kind: string): Form | undefined => byKind.get(kind);

/** Returns the value of the field with a role; an empty text if the form has none, or is no longer defined. */
export function valueOf(role: FieldRole, { form, fields }: { readonly form: string; readonly fields: FormValues }) {
  const name = formOf(form)?.fields.find((field) => field.role === role)?.name;
  return (name && fields[name]) || '';
}
