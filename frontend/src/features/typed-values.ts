/** What the controls of a form hold, typed or chosen, where the form's state is still empty, by field name. */
export function typedValues<Values extends object>(form: HTMLFormElement, values: Values): Partial<Values> {
  const typed = new FormData(form);
  const entries = Object.entries(values).flatMap(([name, value]) => {
    const inControl = typed.get(name);
    // A file control without a choice holds a file without a name.
    const isFilled = inControl instanceof File ? inControl.name !== '' : Boolean(inControl);
    return !value && isFilled ? [[name, inControl]] : [];
  });
  return Object.fromEntries(entries) as Partial<Values>;
}
