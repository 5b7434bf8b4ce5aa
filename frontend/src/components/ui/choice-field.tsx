import { markedLabel, TICKED } from 'form-service/contract/define-form';
import { FieldError, type FieldProps } from './field.tsx';

/** A check box, or radio buttons as a group with a legend. The controls are uncontrolled, like those of `Field`. */
export function ChoiceField({ field, error }: FieldProps) {
  const { name, input, options = [TICKED], hint, required } = field;
  const [errorId, hintId] = [`${name}-error`, `${name}-hint`];
  const isGroup = input === 'radio';
  const described = [error && errorId, hint && hintId].filter(Boolean).join(' ') || undefined;
  const Box = isGroup ? 'fieldset' : 'div';
  const state = {
    'aria-required': required || undefined,
    'aria-invalid': error ? (true as const) : undefined,
    'aria-describedby': described,
  };
  return (
    // A group as such is neither required nor invalid, a radiogroup can be (WAI-ARIA).
    <Box className="choices" {...(isGroup && { role: 'radiogroup', ...state })}>
      {isGroup && <legend suppressHydrationWarning>{markedLabel(field)}</legend>}
      {options.map((option, index) => (
        <label key={option} className="flex cursor-pointer items-center gap-3">
          <input
            id={index === 0 ? name : `${name}-${index}`}
            type={input}
            name={name}
            value={option}
            {...(!isGroup && state)}
          />
          <span suppressHydrationWarning>{isGroup ? option : markedLabel(field)}</span>
        </label>
      ))}
      {hint && (
        <p className="text-sm text-muted" id={hintId} suppressHydrationWarning>
          {hint}
        </p>
      )}
      {error && <FieldError id={errorId}>{error}</FieldError>}
    </Box>
  );
}
