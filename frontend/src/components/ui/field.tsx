import type { InputEventHandler } from 'react';
import type { FormField } from 'form-service/contract/fields';
import { FieldError } from './field-error.tsx';

export interface FieldProps {
  readonly field: FormField;
  /** What it shows before anybody has typed. */
  readonly defaultValue?: string | undefined;
  readonly error?: string | undefined;
  readonly onInput: InputEventHandler;
}

/**
 * A labelled control with its error under it; which control, the form's contract says. Every text is alone in its element,
 * and may differ from what was prerendered: a translator can have been there before React, and its words stay.
 * The control keeps its own value, which the browser restores when the visitor comes back to the page.
 */
export function Field({ field, defaultValue = '', error, onInput }: FieldProps) {
  const { name, label, required, input, rows, options, autoComplete } = field;
  const errorId = `${name}-error`;
  const control = {
    id: name,
    name,
    defaultValue,
    onInput,
    autoComplete,
    'aria-required': required || undefined,
    'aria-invalid': error ? (true as const) : undefined,
    'aria-describedby': error ? errorId : undefined,
  };
  return (
    <div className="field">
      <label htmlFor={name} suppressHydrationWarning>
        {label}
      </label>
      {input === 'textarea' ? (
        <textarea {...control} rows={rows} />
      ) : input === 'select' ? (
        <select {...control}>
          <option value="" suppressHydrationWarning>
            Select a service
          </option>
          {options?.map((option) => (
            <option key={option} value={option} suppressHydrationWarning>
              {option}
            </option>
          ))}
        </select>
      ) : (
        <input {...control} type={input} />
      )}
      {error && <FieldError id={errorId}>{error}</FieldError>}
    </div>
  );
}
