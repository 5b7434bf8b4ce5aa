import type { Application } from './application.ts';
import { SERVICE_OPTIONS, type Contact } from './contact.ts';
import { messages } from './messages.ts';
import { EMAIL_MAX_CHARS, LINE_MAX_CHARS, RESUME_EXTENSIONS, TEXT_MAX_CHARS } from './protocol.ts';

/**
 * The fields of each form, in order. The site's forms and the service's plain pages both draw from these lists, so
 * labels, order and input types exist once.
 */
export interface FormField<Name extends string = string> {
  readonly name: Name;
  readonly label: string;
  readonly required: boolean;
  readonly input: 'text' | 'email' | 'tel' | 'select' | 'textarea' | 'file';
  /** The value of the HTML `autocomplete` attribute. */
  readonly autoComplete?: string;
  /** The height of a text area, in rows. */
  readonly rows?: number;
  /** The choices of a select box. */
  readonly options?: readonly string[];
  /** Help that stands under the control. */
  readonly hint?: string;
  /** The file types that the picker offers. */
  readonly accept?: string;
}

/** The longest value of each kind of control that is typed into, in characters. */
export const MAX_CHARS: { readonly [Input in FormField['input']]?: number } = {
  text: LINE_MAX_CHARS,
  tel: LINE_MAX_CHARS,
  email: EMAIL_MAX_CHARS,
  textarea: TEXT_MAX_CHARS,
};

export const contactFields: readonly FormField<keyof Contact>[] = [
  { name: 'name', label: 'Name *', required: true, input: 'text', autoComplete: 'name' },
  { name: 'email', label: 'Email *', required: true, input: 'email', autoComplete: 'email' },
  { name: 'phone', label: 'Phone (Optional)', required: false, input: 'tel', autoComplete: 'tel' },
  {
    name: 'service',
    label: 'Service *',
    required: true,
    input: 'select',
    options: SERVICE_OPTIONS,
    hint: messages.serviceHint,
  },
  { name: 'message', label: 'Message *', required: true, input: 'textarea', rows: 6 },
];

export const applicationFields: readonly FormField<keyof Application | 'resume'>[] = [
  { name: 'fullName', label: 'Full Name *', required: true, input: 'text', autoComplete: 'name' },
  { name: 'email', label: 'Email Address *', required: true, input: 'email', autoComplete: 'email' },
  { name: 'phone', label: 'Phone Number', required: false, input: 'tel', autoComplete: 'tel' },
  { name: 'position', label: 'Position of Interest', required: false, input: 'text' },
  { name: 'experience', label: 'Years of Experience', required: false, input: 'text' },
  { name: 'resume', label: 'Resume/CV *', required: true, input: 'file', accept: RESUME_EXTENSIONS.join(',') },
  { name: 'coverLetter', label: 'Cover Letter / Message', required: false, input: 'textarea', rows: 4 },
];
