import { useFormik, type FormikValues } from 'formik';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type SubmitEvent } from 'react';
import { IDEMPOTENCY_HEADER } from 'form-service/contract/answer';
import type { FormField } from 'form-service/contract/fields';
import { honeypotValue } from '../components/ui/honeypot.tsx';
import { typedValues } from './typed-values.ts';
import { useFormToken } from './use-form-token.ts';
import { useIdempotencyKey } from './use-idempotency-key.ts';

/** What goes along with the values. */
export interface Attempt {
  readonly headers: Readonly<Record<string, string>>;
  /** Aborted when the visitor no longer wants it sent. */
  readonly signal: AbortSignal;
}

/** How an attempt ended: what the service answered, or why there is no good answer. */
export interface Outcome {
  readonly sent: boolean;
  readonly text: string;
}

export interface SubmissionOptions<Values> {
  readonly empty: Values;
  readonly schema: object;
  /** Sends the values once; what it returns or throws is the {@link Outcome}. */
  readonly send: (values: Values, attempt: Attempt) => Promise<string>;
  readonly onSettled?: (outcome: Outcome, reset: () => void) => void;
}

/**
 * The state of a form that posts to the service. It is checked when it is sent, and from then on at every change; the
 * first wrong field gets the focus. What was typed before React came stays, and who leaves while it is sent is asked.
 */
export function useSubmission<Values extends FormikValues>(options: SubmissionOptions<Values>) {
  const { empty, schema, send, onSettled } = options;
  const form = useRef<HTMLFormElement>(null);
  const attempt = useRef<AbortController>(undefined);
  const { keyFor, renew } = useIdempotencyKey();
  const token = useFormToken(form);
  const [outcome, setOutcome] = useState<Outcome>();

  const formik = useFormik<Values>({
    initialValues: empty,
    validationSchema: schema,
    validateOnBlur: false,
    validateOnChange: false,
    async onSubmit(values) {
      const { signal } = (attempt.current = new AbortController());
      const settle = (settled: Outcome) => {
        setOutcome(settled);
        onSettled?.(settled, clear);
      };
      setOutcome(undefined);
      try {
        const headers = { ...token.headers(), [IDEMPOTENCY_HEADER]: keyFor(values) };
        const text = await send({ ...values, ...honeypotValue(form.current) }, { headers, signal });
        renew();
        token.renew();
        settle({ sent: true, text });
      } catch (error) {
        if (!signal.aborted) settle({ sent: false, text: error instanceof Error ? error.message : '' });
      }
    },
  });

  /** The controls keep their own values. */
  const clear = () => {
    form.current?.reset();
    formik.resetForm();
  };

  const { values, errors, isSubmitting, submitCount, setFieldValue, setValues, validateForm } = formik;

  const readTyped = useCallback(() => {
    const controls = form.current;
    if (controls) void setValues((current) => ({ ...current, ...typedValues(controls, current) }), false);
  }, [setValues]);
  // At once, so that no click comes before it; and again when `hydrateIsland` has filled a form that was drawn anew.
  useLayoutEffect(readTyped, [readTyped]);
  useEffect(readTyped, [readTyped]);

  useEffect(() => {
    if (submitCount > 0) void validateForm(values);
  }, [submitCount, validateForm, values]);

  useEffect(() => {
    // The errors of an attempt are there when it has ended.
    if (submitCount > 0 && !isSubmitting) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [submitCount, isSubmitting]);

  useEffect(() => {
    if (!isSubmitting) return undefined;
    const ask = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isSubmitting]);

  return {
    values,
    isSubmitting,
    outcome,
    setFieldValue,
    form: {
      ref: form,
      noValidate: true,
      // Buttons are not disabled while it is sent, which would take the focus from them.
      onSubmit(event: SubmitEvent<HTMLFormElement>) {
        if (isSubmitting) event.preventDefault();
        else formik.handleSubmit(event);
      },
    },
    fieldProps: (field: FormField) => ({
      field,
      error: errors[field.name] as string | undefined,
      onInput: formik.handleChange,
    }),
    cancel: () => attempt.current?.abort(),
    reset() {
      clear();
      setOutcome(undefined);
    },
  };
}
