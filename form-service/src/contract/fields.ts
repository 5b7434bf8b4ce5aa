import type { Application } from './application.ts';
import { SERVICE_OPTIONS, type Contact } from './contact.ts';
import { applicationLabels, contactLabels } from './labels.ts';
import { messages } from './messages.ts';
import { EMAIL_MAX_CHARS, LINE_MAX_CHARS, RESUME_EXTENSIONS, TEXT_MAX_CHARS } from './protocol.ts';

/** A field of a form. The site's forms and the service's pages without JavaScript use the same lists of fields. */
export interface FormField<Name extends string = string> {
  readonly name: Name;
  readonly label: string;
  readonly required: boolean;
  /** Whether the label says that the field is optional. */
  readonly saysOptional?: boolean;
  readonly input: 'text' | 'email' | 'tel' | 'select' | 'textarea' | 'file';
  /** Value of the HTML attribute `autocomplete`. */
  readonly autoComplete?: string;
  /** Height of a text area, in rows. */
  readonly rows?: number;
  /** Options of a select box. */
  readonly options?: readonly string[];
  /** Hint below the control. */
  readonly hint?: string;
  /** File types that the picker offers. */
  readonly accept?: string;
}

/** Returns the label with the mark of a required or optional field. */
export function markedLabel({ label, required, saysOptional }: FormField): string {
  if (required) return `${label} *`;
  return saysOptional ? `${label} (Optional)` : label;
}

/** Maximum length of the values of each kind of control, in characters. */
export const MAX_CHARS: { readonly [Input in FormField['input']]?: number } = {
  text: LINE_MAX_CHARS,
  tel: LINE_MAX_CHARS,
  email: EMAIL_MAX_CHARS,
  textarea: TEXT_MAX_CHARS,
};

export const contactFields: readonly FormField<keyof Contact>[] = [
  { name: 'name', label: contactLabels.name, required: true, input: 'text', autoComplete: 'name' },
  { name: 'email', label: contactLabels.email, required: true, input: 'email', autoComplete: 'email' },
  { name: 'phone', label: contactLabels.phone, required: false, saysOptional: true, input: 'tel', autoComplete: 'tel' },
  {
    name: 'service',
    label: contactLabels.service,
    required: true,
    input: 'select',
    options: SERVICE_OPTIONS,
    hint: messages.serviceHint,
  },
  { name: 'message', label: contactLabels.message, required: true, input: 'textarea', rows: 6 },
];

export const applicationFields: readonly FormField<keyof Application | 'resume'>[] = [
  { name: 'fullName', label: applicationLabels.fullName, required: true, input: 'text', autoComplete: 'name' },
  { name: 'email', label: applicationLabels.email, required: true, input: 'email', autoComplete: 'email' },
  { name: 'phone', label: applicationLabels.phone, required: false, input: 'tel', autoComplete: 'tel' },
  { name: 'position', label: applicationLabels.position, required: false, input: 'text' },
  { name: 'experience', label: applicationLabels.experience, required: false, input: 'text' },
  {
    name: 'resume',
    label: applicationLabels.resume,
    required: true,
    input: 'file',
    accept: RESUME_EXTENSIONS.join(','),
  },
  { name: 'coverLetter', label: applicationLabels.coverLetter, required: false, input: 'textarea', rows: 4 },
];
