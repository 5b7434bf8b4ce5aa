import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { applicationFields, contactFields, MAX_CHARS, type FormField } from 'form-service/contract/fields';
import { requested } from 'virtual:icons';
import { ApplicationFields, ApplicationForm, ClosedNotice } from './application/application-form.tsx';
import { ContactFields, ContactForm } from './contact/contact-form.tsx';
import { ToastStates } from './contact/toaster.tsx';
import type { IslandName } from './island-entries.ts';
import type { SubmissionResult } from './submit.ts';
import type { FormState } from './use-submission.ts';

/** All values of each property of `State` that change what is drawn. */
type Choices<State> = { readonly [Key in keyof State]-?: readonly State[Key][] };

const RESULTS: readonly (SubmissionResult | undefined)[] = [
  undefined,
  { sent: true, reference: 'KW' },
  { sent: false, reason: 'No.' },
];

/** Returns every state of a form with these fields: the product of the choices. */
function statesOf(fields: readonly FormField[]): readonly FormState[] {
  const each = <Value,>(value: (field: FormField) => Value) =>
    Object.fromEntries(fields.map((field) => [field.name, value(field)]));
  const choices: Choices<FormState> = {
    values: [
      undefined,
      each(() => ''),
      each(({ input }) => (input === 'file' ? new File([], 'cv.pdf') : 'x'.repeat(MAX_CHARS[input] ?? 0))),
    ],
    errors: [{}, each(() => 'Wrong.')],
    isSubmitting: [false, true],
    progress: [0],
    result: RESULTS,
  };
  const states = Object.entries(choices).reduce<readonly object[]>(
    (partial, [key, values]) => partial.flatMap((state) => values.map((value) => ({ ...state, [key]: value }))),
    [{}],
  );
  return states as readonly FormState[];
}

const drawEach = <Item,>(items: readonly Item[], draw: (item: Item) => ReactNode) =>
  items.map((item) => renderToStaticMarkup(draw(item))).join('');

/**
 * Renders each form as it is prerendered, and in every state. The build takes classes and icons from these states, so
 * that a page has the styles of states that it does not show yet.
 */
export function renderForms(): {
  readonly html: Readonly<Record<IslandName, string>>;
  readonly icons: readonly string[];
} {
  requested.clear();
  const html = {
    contact:
      drawEach(statesOf(contactFields), (state) => <ContactFields state={state} />) +
      renderToStaticMarkup(<ToastStates />) +
      renderToStaticMarkup(<ContactForm />),
    application:
      drawEach(statesOf(applicationFields), (state) => <ApplicationFields state={state} />) +
      drawEach(RESULTS, (result) => <ClosedNotice result={result} />) +
      renderToStaticMarkup(<ApplicationForm />),
  };
  return { html, icons: [...requested] };
}
