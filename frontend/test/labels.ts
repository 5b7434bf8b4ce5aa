import { markedLabel, type Form } from 'form-service/contract/define-form';

/** Labels of the fields of a form by name, as they are drawn. */
export const labelsOf = ({ fields }: Form): Readonly<Record<string, string>> =>
  Object.fromEntries(fields.map((field) => [field.name, markedLabel(field)]));
