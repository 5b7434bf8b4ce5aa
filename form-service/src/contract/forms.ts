import type { FieldRole, Form, FormField, FormValues } from './define-form.ts';
import { FORMS } from './form-list.ts';

export { FORMS };

/** Reads all words, so that a mistake ends the start of a process and not a request. @throws ContentError */
export const readAllWords = (): unknown => FORMS.map(({ fields }) => fields);

/** The forms that the site has and the api accepts. */
export const OPEN_FORMS = FORMS.filter(({ isRetired }) => !isRetired);

/** Name of a form, as the database has it. */
export type FormKind = string;

export const FORM_KINDS: readonly FormKind[] = FORMS.map(({ kind }) => kind);

/** The form that the site's positions open. */
export const DIALOG_FORM = OPEN_FORMS.find(({ place }) => place === 'dialog');

const byKind = new Map(FORMS.map((form) => [form.kind, form]));

export const formOf = (kind: string): Form | undefined => byKind.get(kind);

/** A submission as far as its fields say what it is about. */
export interface Filled {
  readonly form: string;
  readonly fields: FormValues;
}

/** Returns the field with a role, also one that is no longer asked: stored submissions have its value. */
export const fieldWithRole = ({ fields, retiredFields }: Form, role: FieldRole): FormField | undefined =>
  [...fields, ...retiredFields].find((field) => field.role === role);

export function fieldOf(kind: string, role: FieldRole): FormField | undefined {
  const form = formOf(kind);
  return form && fieldWithRole(form, role);
}

/** Returns the value of the field with a role; an empty text if the form has none, or is no longer defined. */
export function valueOf({ form, fields }: Filled, role: FieldRole): string {
  return fields[fieldOf(form, role)?.name ?? ''] ?? '';
}

/** Returns the topic if it is one of the form's own options. A topic that visitors type is not. */
export function chosenTopic(filled: Filled): string {
  const topic = valueOf(filled, 'topic');
  return fieldOf(filled.form, 'topic')?.options?.includes(topic) ? topic : '';
}

/** Noun of staff for a submission of a form, and for several. */
export const nounOf = (kind: string): string => formOf(kind)?.words.noun ?? kind;
export const nounsOf = (kind: string): string => formOf(kind)?.words.nouns ?? kind;
