import type { Form } from 'form-service/contract/define-form';
import { formOf } from 'form-service/contract/forms';

/** Returns a form by its name, which the build has checked. */
export function formNamed(name: string): Form {
  const form = formOf(name);
  if (!form) throw new Error(`There is no form "${name}" in form-service/src/contract/form-list.ts`);
  return form;
}
