import type { ChangeEventHandler, FocusEventHandler } from 'react';
import type { FormField } from 'form-service/contract/fields';

export interface FieldProps {
  readonly field: FormField;
  readonly value: string;
  readonly error?: string | undefined;
  readonly onChange: ChangeEventHandler<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>;
  readonly onBlur?: FocusEventHandler;
}

/** A labelled control with its error under it; which control, the form's contract says. */
export function Field({ field, value, error, onChange, onBlur }: FieldProps) {
  const { name, label, required, input, rows, options, autoComplete } = field;
  const errorId = `${name}-error`;
  const control = {
    id: name,
    name,
    value,
    onChange,
    onBlur,
    autoComplete,
    'aria-required': required || undefined,
    'aria-invalid': error ? (true as const) : undefined,
    'aria-describedby': error ? errorId : undefined,
  };
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      {input === 'textarea' ? (
        <textarea {...control} rows={rows} />
      ) : input === 'select' ? (
        <select {...control}>
          <option value="">Select a service</option>
          {options?.map((option) => <option key={option}>{option}</option>)}
        </select>
      ) : (
        <input {...control} type={input} />
      )}
      {error && (
        <p className="field-error" id={errorId}>
          {error}
        </p>
      )}
    </div>
  );
}
