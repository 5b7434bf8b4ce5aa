import type { FieldInput } from './define-form.ts';
import type { Shape } from './word-mistakes.ts';

/** Words of one form. Those with `?` can be left out, and so can places with `?`. */
const FORM = {
  title: '',
  submit: '',
  /** Label of the button while the form is sent. */
  sending: '',
  sent: '',
  sentDetail: '',
  failed: '',
  'failedDetail {email?}': '',
  /** Label of the progress bar of a file. */
  'uploading?': '',
  /** Notices of a form in a dialog that was closed before everything was sent, or before the answer. */
  'notSent?': '',
  'unanswered?': '',
  /** Heading of the confirmation in place of the fields, what happens next, and the button to another submission. */
  'confirmation?': '',
  'next?': [{ when: '', what: '' }],
  'another?': '',
  /** Nouns of staff for a submission, several of them, and their topic. */
  noun: '',
  nouns: '',
  'topic?': '',
  /** Text for staff in place of a topic that the visitor left empty. */
  'withoutTopic?': '',
  /** Subject of an answer to the visitor, and the one without a topic. */
  'answer {topic?}': '',
  'answerWithoutTopic?': '',
} as const;

/** Words of a field. */
const FIELD = {
  label: '',
  /** Hint at the control. */
  'hint?': '',
  /** Error for a value that is missing or too short, in place of the one for all fields. */
  'missing?': '',
  /** Error for a value of the wrong kind, in place of the one for its control. */
  'invalid?': '',
  /** First entry of a select box, which chooses nothing. */
  'choose?': '',
} as const;

/** Values to choose from, unless the form's rule has them. */
const OPTIONS = { 'options?': [''] } as const;

type Texts<Of> = Of extends string ? string : Of extends readonly [infer Item] ? readonly Texts<Item>[] : Block<Of>;
type Block<Of> = {
  readonly [
    Key in keyof Of as Key extends `${string}?` ? never : Key extends `${infer Name} ${string}` ? Name : Key
  ]: Texts<Of[Key]>;
} & { readonly [Key in keyof Of as Key extends `${infer Name}?` ? Name : never]?: Texts<Of[Key]> };

export type FieldWords = Block<typeof FIELD & typeof OPTIONS>;

export type FormWords = Block<typeof FORM> & { readonly fields: Readonly<Record<string, FieldWords>> };

/** Returns the keys of the words of a form. Without the kinds of its controls, any field can have those of a choice. */
export const formShape = (fields: readonly { readonly name: string; readonly input?: FieldInput }[]): Shape => ({
  ...FORM,
  fields: Object.fromEntries(fields.map(({ name, input }) => [name, fieldShape(input)])),
});

function fieldShape(input: FieldInput | undefined): Shape {
  if (input === undefined || input === 'radio') return { ...FIELD, ...OPTIONS };
  const { 'choose?': choose, ...others } = FIELD;
  return input === 'select' ? { ...others, ...OPTIONS, choose } : FIELD;
}
