import type { Form } from 'form-service/contract/define-form';
import { DialogForm } from './dialog-form.tsx';
import { SectionForm } from './section-form.tsx';

/**
 * A form of a page that React hydrates when the visitor first touches it (`boot/load-islands.ts`). `data-scripts` lists
 * its scripts in the order in which they run.
 */
export const Island = ({ form }: { readonly form: Form }) => (
  <div data-island={form.kind} data-scripts={`/src/features/islands/${form.kind}.ts`}>
    {form.place === 'dialog' ? <DialogForm form={form} /> : <SectionForm form={form} />}
  </div>
);
