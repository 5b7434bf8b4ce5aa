import { useMemo, type InputEventHandler } from 'react';
import { MAX_CHARS, type FormField } from 'form-service/contract/fields';
import { messages } from 'form-service/contract/messages';
import { FieldError } from './field-error.tsx';
import { Icon } from './icon.tsx';

export interface FieldProps {
  readonly field: FormField;
  /** What is in it, as far as that is known. */
  readonly value?: string;
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
export function Field({ field, value = '', defaultValue = '', error, onInput }: FieldProps) {
  const { name, label, required, input, rows, options, hint, autoComplete } = field;
  const errorId = `${name}-error`;
  const hintId = `${name}-hint`;
  const leftId = `${name}-left`;
  const room = roomLeft(field, value);
  // Said at these few steps, and not at every key.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const announced = useMemo(() => room?.text, [room?.step]);
  const control = {
    id: name,
    name,
    defaultValue,
    onInput,
    autoComplete,
    'aria-required': required || undefined,
    'aria-invalid': error ? (true as const) : undefined,
    'aria-describedby': [error && errorId, hint && hintId, room && leftId].filter(Boolean).join(' ') || undefined,
  };
  return (
    <div className="field">
      <label htmlFor={name} suppressHydrationWarning>
        {label}
      </label>
      {input === 'textarea' ? (
        <textarea {...control} rows={rows} dir="auto" />
      ) : input === 'select' ? (
        <div className="relative">
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
          <Icon
            name="chevron-down"
            className="pointer-events-none absolute top-1/2 right-4 [translate:0_-50%] forced-colors:hidden"
          />
        </div>
      ) : (
        <input {...control} type={input} dir="auto" />
      )}
      {MAX_CHARS[input] && (
        <span className="sr-only" aria-live="polite">
          {announced}
        </span>
      )}
      {room && (
        <p className="text-sm text-muted" id={leftId}>
          {room.text}
        </p>
      )}
      {hint && (
        <p className="text-sm text-muted" id={hintId} suppressHydrationWarning>
          {hint}
        </p>
      )}
      {error && <FieldError id={errorId}>{error}</FieldError>}
    </div>
  );
}

/** Shares of the limit from which on the letters that remain are shown; what is left is said aloud at each. */
const STEPS = [0.1, 0.05, 0.01, 0];

/** How many letters still fit, once there is little room. */
function roomLeft({ input }: FormField, value: string): { readonly step: number; readonly text: string } | undefined {
  const limit = MAX_CHARS[input];
  if (limit === undefined) return undefined;
  const left = limit - value.length;
  const step = STEPS.findLastIndex((share) => left <= share * limit);
  if (step < 0) return undefined;
  if (left < 0) return { step: STEPS.length, text: messages.charactersTooMany(-left) };
  return { step, text: messages.charactersLeft(left) };
}
