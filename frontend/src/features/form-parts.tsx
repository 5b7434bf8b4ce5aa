import type { ComponentType } from 'react';
import type { Form, FormField } from 'form-service/contract/define-form';
import { fill } from 'form-service/contract/messages';
import { mailboxes } from 'virtual:content';
import { ChoiceField } from '../components/ui/choice-field.tsx';
import { Field, type FieldProps } from '../components/ui/field.tsx';
import { FileInput } from './file-input.tsx';
import type { FormState } from './use-submission.ts';

/** Parts that forms in sections and in dialogs share. */

const CONTROLS: { readonly [Input in FormField['input']]?: ComponentType<FieldProps> } = {
  file: FileInput,
  radio: ChoiceField,
  checkbox: ChoiceField,
};

/** Whether a field is a text or a select box, which look alike. */
export const isText = ({ input }: FormField) => !CONTROLS[input];

export interface AnyFieldProps extends Pick<FieldProps, 'field' | 'lifts' | 'onRemoved'> {
  readonly state: Pick<FormState, 'values' | 'errors'>;
}

/** A field of any kind of control, with its value and error. */
export function AnyField({ field, state: { values, errors }, ...others }: AnyFieldProps) {
  const Control = CONTROLS[field.input] ?? Field;
  return <Control field={field} value={values?.[field.name]} error={errors[field.name]} {...others} />;
}

/** Returns the rows of the fields: two that are short are side by side on a wide screen. */
function rowsOf(fields: readonly FormField[]): readonly (readonly FormField[])[] {
  const isShort = (field: FormField | undefined) => field && field.input !== 'textarea' && isText(field);
  const [first, second] = fields;
  if (!first) return [];
  const length = isShort(first) && isShort(second) ? 2 : 1;
  return [fields.slice(0, length), ...rowsOf(fields.slice(length))];
}

interface FieldRowsProps extends Pick<AnyFieldProps, 'state' | 'onRemoved'> {
  readonly fields: readonly FormField[];
  /** Fields that lift the kite next to the form. */
  readonly lifting?: readonly FormField[];
  /** Classes of a row, and of one with two fields. */
  readonly className: string;
  readonly columns: string;
}

/** The fields of a form in rows. */
export const FieldRows = ({ fields, lifting, className, columns, ...others }: FieldRowsProps) =>
  rowsOf(fields).map((row) => (
    <div key={row[0]?.name} className={`grid items-start ${className} ${row.length > 1 ? columns : ''}`.trim()}>
      {row.map((field) => (
        <AnyField key={field.name} field={field} lifts={(lifting?.indexOf(field) ?? -1) + 1 || undefined} {...others} />
      ))}
    </div>
  ));

/** Returns what a visitor can do whose submission failed. Its place {email} is the address that the pages show. */
export const failureDetail = ({ words, mailbox = 'SALES_INBOX' }: Form): string =>
  fill(words.failedDetail, { email: mailboxes[mailbox] });
