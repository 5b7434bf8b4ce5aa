import { markedLabel, TICKED } from 'form-service/contract/define-form';
import { ariaOf, FieldError, FieldHint, type FieldProps } from './field.tsx';

/** A check box, or radio buttons as a group with a legend. The controls are uncontrolled, like those of `Field`. */
export function ChoiceField({ field, error }: FieldProps) {
  const { name, input, options = [TICKED] } = field;
  const isGroup = input === 'radio';
  const Box = isGroup ? 'fieldset' : 'div';
  const aria = ariaOf(field, error);
  return (
    // A group as such is neither required nor invalid, a radiogroup can be (WAI-ARIA).
    <Box className="choices" {...(isGroup && { role: 'radiogroup', ...aria })}>
      {isGroup && <legend suppressHydrationWarning>{markedLabel(field)}</legend>}
      {options.map((option, index) => (
        <label key={option} className="flex cursor-pointer items-center gap-3">
          <input
            id={index === 0 ? name : `${name}-${index}`}
            type={input}
            name={name}
            value={option}
            {...(!isGroup && aria)}
          />
          <span suppressHydrationWarning>{isGroup ? option : markedLabel(field)}</span>
        </label>
      ))}
      <FieldHint field={field} />
      <FieldError name={name} error={error} />
    </Box>
  );
}
