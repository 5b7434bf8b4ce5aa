/** Values that the controls of a form hold where the form's state is still empty, by field name. */
export function typedValues<Values extends object>(form: HTMLFormElement, values: Values): Partial<Values> {
  const typed = new FormData(form);
  const entries = Object.entries(values).flatMap(([name, value]) => {
    const inControl = typed.get(name);
    return value === '' && typeof inControl === 'string' && inControl !== '' ? [[name, inControl]] : [];
  });
  return Object.fromEntries(entries) as Partial<Values>;
}
