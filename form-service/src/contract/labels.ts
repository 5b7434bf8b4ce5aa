import { formOf } from './forms.ts';

const labelsOf = (form: string) =>
  Object.fromEntries(formOf(form)?.fields.map(({ name, label }) => [name, label]) ?? []);
export const contactLabels = labelsOf('contact') as Readonly<Record<keyof import('./contact.ts').Contact, string>>;
export const applicationLabels = labelsOf('application') as Readonly<
  Record<keyof import('./application.ts').Application | 'resume', string>
>;
