import { object, type ObjectSchema } from 'yup';
import { lazy } from './lazy.ts';
import { messages } from './messages.ts';
import { RESUME_MEDIA_TYPES } from './protocol.ts';
import { dayText, emailAddress, line, lines, numberText, ownFields, visibleLength } from './text.ts';
import type { FieldWords, FormWords } from './form-words.ts';
import { ContentError } from './word-mistakes.ts';

/** Part of a field in its submission, for mails, lists, search and the spam filter. */
export type FieldRole = 'sender' | 'email' | 'phone' | 'topic' | 'body';

/** Kind of control. */
export type FieldInput =
  | 'text'
  | 'email'
  | 'tel'
  | 'textarea'
  | 'select'
  | 'radio'
  | 'checkbox'
  | 'date'
  | 'number'
  | 'file';

/** A field of a form: its rule, its control and its role. Its words are in `wording.yaml`. */
export interface FieldRule {
  readonly name: string;
  readonly input: FieldInput;
  /** At most one field has each role; one has the role `email`. */
  readonly role?: FieldRole;
  readonly isRequired?: boolean;
  /** No longer asked. Stored values keep their label. */
  readonly isRetired?: boolean;
  /** Minimum number of visible characters of a text, or smallest number or first day that is accepted. */
  readonly min?: number | string;
  /** Largest number or last day that is accepted. */
  readonly max?: number | string;
  /** Distance between accepted numbers, counted from `min`. Whole numbers by default; `any` for all decimals. */
  readonly step?: number | 'any';
  /** Values to choose from. */
  readonly options?: readonly string[];
  /** Value of the HTML attribute `autocomplete`. */
  readonly autoComplete?: string;
  /** Height of a text area, in rows. */
  readonly rows?: number;
  /** Whether the label says that the field is optional. */
  readonly saysOptional?: boolean;
  /** Whether messages name the field by its name in place of its label. */
  readonly isUnlabelled?: boolean;
}

/** Rules of a form: its fields, and the way of a submission from its page to its mailbox. */
export interface FormRule {
  /** Name in the database, metrics and settings. It never changes. */
  readonly kind: string;
  /** Path of the request. */
  readonly path: `/api/${string}`;
  /** Page of the site that has the form. */
  readonly page: string;
  /** Place on the site. The form in a dialog is the one that positions open. */
  readonly place: 'section' | 'dialog';
  /** Setting with the mailbox of its submissions. Without one, `RECIPIENTS` has an entry for the form. */
  readonly mailbox?: 'SALES_INBOX' | 'HR_INBOX';
  readonly fields: readonly FieldRule[];
  /** No longer on the site, and not accepted. Stored submissions stay readable. */
  readonly isRetired?: boolean;
}

/** A field with its words, as it is drawn. */
export interface FormField extends FieldRule, FieldWords {
  readonly required: boolean;
  /** File types that the picker offers. */
  readonly accept?: string;
}

/** Values by field name, all of them texts. A file is not among them. */
export type FormValues = Readonly<Record<string, string>>;

/** A form with everything that follows from its fields. */
export interface Form extends Omit<FormRule, 'fields'> {
  readonly words: FormWords;
  /** All fields, without their words. */
  readonly rules: readonly FieldRule[];
  readonly fields: readonly FormField[];
  /** Fields that are no longer asked. */
  readonly retiredFields: readonly FormField[];
  /** Yup schema of the texts. Unknown fields are dropped. */
  readonly schema: ObjectSchema<FormValues>;
  /** Initial values: every text is empty. */
  readonly empty: FormValues;
  readonly file: FormField | undefined;
  readonly encoding: 'multipart/form-data' | 'application/x-www-form-urlencoded';
}

/** Returns the label with the mark of a required or optional field. */
export function markedLabel({
  label,
  required,
  saysOptional,
}: Pick<FormField, 'label' | 'required' | 'saysOptional'>): string {
  if (required) return `${label} *`;
  return saysOptional ? `${label} ${messages.optional}` : label;
}

/** Derives schema, initial values and drawn fields from a form's rules, and from its words at the first look at them. */
export function defineForm({ fields: rules, ...rule }: FormRule, words: FormWords): Form {
  const hasFile = rules.some(({ input, isRetired }) => input === 'file' && !isRetired);
  const known = {
    mailbox: undefined,
    isRetired: false,
    ...rule,
    words,
    rules,
    encoding: hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded',
  } as const;
  return lazy<Form>(() => ({ ...known, ...deriveFrom(rule.kind, rules, words) }), known);
}

function deriveFrom(kind: string, rules: readonly FieldRule[], words: FormWords) {
  const all = rules.map((field): FormField => {
    const own = words.fields[field.name];
    if (!own?.label) throw new ContentError(`wording.yaml: forms.${kind}.fields.${field.name}.label is missing`);
    // Pickers of Android only know media types.
    const accept = field.input === 'file' ? { accept: Object.entries(RESUME_MEDIA_TYPES).flat().join(',') } : {};
    return { ...field, ...own, ...accept, required: field.isRequired === true };
  });
  const fields = all.filter(({ isRetired }) => !isRetired);
  const texts = fields.filter(({ input }) => input !== 'file');
  const schema = object(Object.fromEntries(texts.map((field) => [field.name, ruleOf(field)])))
    .noUnknown()
    .transform(ownFields)
    .typeError(messages.invalidInput)
    .required(messages.invalidInput) as unknown as ObjectSchema<FormValues>;
  return {
    fields,
    retiredFields: all.filter(({ isRetired }) => isRetired),
    schema,
    empty: schema.getDefault() as FormValues,
    file: fields.find(({ input }) => input === 'file'),
  };
}

/** Value of a ticked check box. */
export const TICKED = 'yes';

/** Returns the rule for the value of a field. */
function ruleOf(field: FormField) {
  const { input, label, isRequired, isUnlabelled, options, min = 1, missing = messages.required } = field;
  const text = textOf(field);
  const named = isUnlabelled ? text : text.label(label);
  const values = input === 'checkbox' ? [TICKED] : options;
  if (values) return (isRequired ? named.min(1, missing) : named).oneOf(['', ...values], missing);
  if (!isRequired) return named;
  if (input !== 'text' && input !== 'tel' && input !== 'textarea') return named.min(1, missing);
  return named.test('required', missing, (value) => visibleLength(value) >= Number(min));
}

function textOf({ input, min, max, step, invalid }: FormField) {
  switch (input) {
    case 'email':
      return emailAddress(invalid ?? messages.invalidEmail);
    case 'textarea':
      return lines();
    case 'date':
      return dayText(invalid ?? messages.invalidDate, { min, max });
    case 'number':
      return numberText(invalid ?? messages.invalidNumber, { min, max, step });
    default:
      return line();
  }
}
