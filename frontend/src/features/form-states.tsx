import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Form, FormField } from 'form-service/contract/define-form';
import { OPEN_FORMS } from 'form-service/contract/forms';
import { ClosedNotice, DialogFields, DialogForm } from './dialog-form.tsx';
import { SectionFields, SectionForm } from './section-form.tsx';
import type { SubmissionResult } from './submit.ts';
import { ToastStates } from './toaster.tsx';
import type { FormState } from './use-submission.ts';

const RESULTS: readonly (SubmissionResult | undefined)[] = [
  undefined,
  { sent: true, reference: 'KW' },
  { sent: false, reason: 'No.' },
];

/** Returns states of a form with these fields that have all its parts: empty, and filled in wrongly with each result. */
function statesOf(fields: readonly FormField[]): readonly FormState[] {
  const each = <Value,>(value: (field: FormField) => Value) =>
    Object.fromEntries(fields.map((field) => [field.name, value(field)]));
  const empty = {
    values: each(() => ''),
    errors: {},
    isSubmitting: false,
    progress: 0,
    isWaiting: false,
    result: undefined,
  };
  const filled = {
    ...empty,
    values: each(({ input }) => (input === 'file' ? new File([], 'cv.pdf') : 'x')),
    errors: each(() => 'Wrong.'),
    isSubmitting: true,
  };
  return [empty, ...RESULTS.map((result) => ({ ...filled, result }))];
}

const drawEach = <Item,>(items: readonly Item[], draw: (item: Item) => ReactNode) =>
  items.map((item) => renderToStaticMarkup(draw(item))).join('');

const statesOfSection = (form: Form) =>
  drawEach(statesOf(form.fields), (state) => <SectionFields form={form} state={state} />) +
  renderToStaticMarkup(<ToastStates />) +
  renderToStaticMarkup(<SectionForm form={form} />);

const statesOfDialog = (form: Form) =>
  drawEach(statesOf(form.fields), (state) => <DialogFields form={form} state={state} />) +
  drawEach(RESULTS, (result) => <ClosedNotice words={form.words} result={result} />) +
  renderToStaticMarkup(<DialogForm form={form} />);

/**
 * Renders each form as it is prerendered, and in every state, by the name of the form. The build takes classes from these
 * states, so that a page has the styles of states that it does not show yet.
 */
export const renderForms = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    OPEN_FORMS.map((form) => [form.kind, form.place === 'dialog' ? statesOfDialog(form) : statesOfSection(form)]),
  );
