import { markedLabel, type FormField } from 'form-service/contract/define-form';
import { Icon } from './icon.tsx';

export interface FieldProps {
  readonly field: FormField;
  /** Value that the control held when it was last read. */
  readonly value?: string | File | null | undefined;
  readonly error?: string | undefined;
  /** Place of the field among those that lift the kite next to the form, from 1. */
  readonly lifts?: number | undefined;
  /** Called after a file control has been emptied, for which browsers fire no event. */
  readonly onRemoved?: (() => void) | undefined;
}

/**
 * A labelled control with its error; the form's contract names the kind of control. Each text is alone in its element and
 * may differ from the prerendered one, so that hydration keeps the words of a translator. The control is uncontrolled:
 * it keeps its value, which the browser restores when the visitor comes back to the page. Its empty placeholder lets the
 * style sheet tell whether it is filled in.
 */
export function Field({ field, error, lifts }: FieldProps) {
  const { name, input, rows, options, autoComplete, choose } = field;
  const control = {
    id: name,
    name,
    defaultValue: '',
    autoComplete,
    'data-lifts': lifts,
    ...ariaOf(field, error),
  };
  return (
    <div className="field">
      <label htmlFor={name} suppressHydrationWarning>
        {markedLabel(field)}
      </label>
      {input === 'textarea' && <textarea {...control} rows={rows} dir="auto" placeholder=" " />}
      {input === 'select' && (
        <div className="relative">
          <select {...control}>
            <option value="" suppressHydrationWarning>
              {choose}
            </option>
            {options?.map((option) => (
              <option key={option} value={option} suppressHydrationWarning>
                {option}
              </option>
            ))}
          </select>
          <Icon
            name="chevron-down"
            className="pointer-events-none absolute top-1/2 right-4 [translate:0_-50%] forced-colors:hidden"
          />
        </div>
      )}
      {input !== 'textarea' && input !== 'select' && (
        <input {...control} {...limitsOf(field)} type={input} dir="auto" placeholder=" " />
      )}
      <FieldHint field={field} />
      <FieldError name={name} error={error} />
    </div>
  );
}

/** Returns the state of a control for assistive technology, with the ids of its error and hint. */
export const ariaOf = ({ name, required, hint }: FormField, error: string | undefined) => ({
  'aria-required': required || undefined,
  'aria-invalid': error ? (true as const) : undefined,
  'aria-describedby': [error && `${name}-error`, hint && `${name}-hint`].filter(Boolean).join(' ') || undefined,
});

export const FieldHint = ({ field: { name, hint } }: Pick<FieldProps, 'field'>) =>
  hint && (
    <p className="text-sm text-muted" id={`${name}-hint`} suppressHydrationWarning>
      {hint}
    </p>
  );

export const FieldError = ({ name, error }: { name: string; error: string | undefined }) =>
  error && (
    <p className="text-sm font-medium text-error" id={`${name}-error`}>
      {error}
    </p>
  );

/** Limits of a day or a number, which the browser's picker shows. */
const limitsOf = ({ input, min, max, step }: FormField) =>
  input === 'date' || input === 'number' ? { min, max, step } : {};
