/** @jest-environment ./test/browser-environment.js */
import { describe, expect, test } from '@jest/globals';
import { render } from '@testing-library/react';
import type { FormField } from 'form-service/contract/define-form';
import { OPEN_FORMS } from 'form-service/contract/forms';
import { application } from 'form-service/contract/forms/application';
import { messages } from 'form-service/contract/messages';
import { survey } from '../../../form-service/test/survey.ts';
import { descriptionOf } from '../../test/controls.ts';
import { DialogFields } from './dialog-form.tsx';
import { AnyField } from './form-parts.tsx';
import type { FormState } from './use-submission.ts';

const [ERROR, HINT] = ['It is wrong.', 'In a few words.'];

/** A field of each kind of control, of all forms. */
const fields = new Map([...OPEN_FORMS, survey].flatMap((form) => form.fields.map((field) => [field.input, field])));
const each = [...fields.values()].map((field) => [field.input, field] as const);

/** Draws a control, and returns the element that has its state: of radio buttons the group. */
function draw(field: FormField, { value = '', error }: { value?: string; error?: string } = {}): Element {
  const state = { values: { [field.name]: value }, errors: { [field.name]: error } };
  const { container } = render(<AnyField field={field} state={state} />);
  const control = container.querySelector('fieldset, input, select, textarea');
  if (control === null) throw new Error(`${field.input} has no control`);
  return control;
}

describe('a control', () => {
  test.each(each)(
    'is described by its error and hint, and says whether it is invalid and required > %s',
    (_, field) => {
      const valid = draw({ ...field, hint: HINT, required: true });
      expect(descriptionOf(valid)).toBe(HINT);
      expect([valid.hasAttribute('aria-invalid'), valid.getAttribute('aria-required')]).toEqual([false, 'true']);
      document.body.innerHTML = '';
      const invalid = draw({ ...field, hint: HINT, required: false }, { error: ERROR });
      expect(descriptionOf(invalid)).toBe(`${ERROR} ${HINT}`);
      expect([invalid.getAttribute('aria-invalid'), invalid.hasAttribute('aria-required')]).toEqual(['true', false]);
    },
  );
});

describe('the status of a dialog', () => {
  const idle: FormState = {
    values: undefined,
    errors: {},
    isSubmitting: false,
    isWaiting: false,
    progress: 0,
    result: undefined,
  };
  const { words } = application;
  const drawn = (state: Partial<FormState>) => <DialogFields form={application} state={{ ...idle, ...state }} />;
  const region = () => document.querySelector('form > [aria-live=polite]');

  test.each([
    ['the progress', { isSubmitting: true }, words.uploading ?? words.sending],
    ['the success', { result: { sent: true, reference: 'KW-1' } }, messages.reference({ reference: 'KW-1' })],
    ['the failure', { result: { sent: false, reason: 'Try again.' } }, 'Try again.'],
  ] as const)('announces %s in a region that was there before', (_, state, text) => {
    const { rerender } = render(drawn({}));
    const before = region();
    expect(before?.textContent).toBe('');
    rerender(drawn(state));
    expect(region()).toBe(before);
    expect(before?.textContent).toContain(text);
  });
});
