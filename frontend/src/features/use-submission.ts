import { useFormik, type FormikValues } from 'formik';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type SubmitEvent } from 'react';
import type { FormField } from 'form-service/contract/fields';
import { messages } from 'form-service/contract/messages';
import { honeypotValue } from '../components/ui/honeypot.tsx';
import { submit, type Outcome } from './submit.ts';
import { useSubmissionHeaders } from './use-submission-headers.ts';

export interface SubmissionOptions<Values> {
  readonly empty: Values;
  readonly schema: object;
  readonly path: string;
  /** The values as the body of the request. */
  readonly encode: (values: Values) => string | FormData;
  readonly onSettled?: (outcome: Outcome, reset: () => void) => void;
}

/** What the service found wrong with which values. */
interface Refused<Values> {
  readonly errors: Readonly<Record<string, string>>;
  readonly values: Values;
}

/**
 * The state of a form that posts to the service. It is checked when it is sent, and from then on at every change; the
 * first wrong field gets the focus. What the service finds wrong with a field stands at it until the field is changed.
 * What was typed before React came stays, and who leaves while it is sent is asked.
 */
export function useSubmission<Values extends FormikValues>(options: SubmissionOptions<Values>) {
  const { empty, schema, path, encode, onSettled } = options;
  const form = useRef<HTMLFormElement>(null);
  const attempt = useRef<AbortController>(undefined);
  const { headersFor, renew } = useSubmissionHeaders(form);
  const [outcome, setOutcome] = useState<Outcome>();
  const [refused, setRefused] = useState<Refused<Values>>();
  /** The share of the body that is sent, 0 to 1. */
  const [progress, setProgress] = useState(0);

  const formik = useFormik<Values>({
    initialValues: empty,
    validationSchema: schema,
    validateOnBlur: false,
    validateOnChange: false,
    async onSubmit(values) {
      const { signal } = (attempt.current = new AbortController());
      setOutcome(undefined);
      setRefused(undefined);
      setProgress(0);
      const body = encode({ ...values, ...honeypotValue(form.current) });
      const settled = await submit({ path, body, headers: headersFor(values), signal, onProgress: setProgress });
      if (signal.aborted) return;
      const final = settled.sent || settled.status ? settled : ((await changedFile(values)) ?? settled);
      if (final.sent) {
        renew();
      } else if (final.errors) {
        setRefused({ errors: final.errors, values: { ...values, ...letGo(values, final.errors) } });
      }
      setOutcome(final);
      onSettled?.(final, clear);
    },
  });
  const { values, errors, isSubmitting, submitCount, setFieldValue, setValues, validateForm } = formik;

  /** The controls keep their own values. */
  const clear = () => {
    form.current?.reset();
    formik.resetForm();
  };

  /** Empties the controls of files that were refused: one of the same name could not be chosen again. */
  const letGo = (sent: Values, wrong: Readonly<Record<string, string>>): Partial<Values> => {
    const files = Object.keys(wrong).filter((name) => (sent[name] as unknown) instanceof File);
    for (const name of files) {
      const control = form.current?.elements.namedItem(name);
      if (control instanceof HTMLInputElement) control.value = '';
      void setFieldValue(name, null);
    }
    return Object.fromEntries(files.map((name) => [name, null])) as Partial<Values>;
  };

  const readTyped = useCallback(() => {
    const controls = form.current;
    if (controls) void setValues((current) => ({ ...current, ...typedValues(controls, current) }), false);
  }, [setValues]);
  // At once, so that no click comes before it; and again when `hydrate` has filled a form that was drawn anew.
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

  const errorOf = (name: string): string | undefined =>
    (errors[name] as string | undefined) ??
    (refused?.values[name] === values[name] ? refused?.errors[name] : undefined);

  return {
    values,
    isSubmitting,
    progress,
    outcome,
    setFieldValue,
    errorOf,
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
      value: values[field.name] as string,
      error: errorOf(field.name),
      onInput: formik.handleChange,
    }),
    cancel: () => attempt.current?.abort(),
    reset() {
      clear();
      setOutcome(undefined);
    },
  };
}

/** What the controls of a form hold, typed or chosen, where the form's state is still empty, by field name. */
function typedValues<Values extends object>(form: HTMLFormElement, values: Values): Partial<Values> {
  const typed = new FormData(form);
  const entries = Object.entries(values).flatMap(([name, value]) => {
    const inControl = typed.get(name);
    // A file control without a choice holds a file without a name.
    const isFilled = inControl instanceof File ? inControl.name !== '' : Boolean(inControl);
    return !value && isFilled ? [[name, inControl]] : [];
  });
  return Object.fromEntries(entries) as Partial<Values>;
}

/** The outcome where no answer came because a file was changed or removed after it was chosen: browsers do not send it. */
async function changedFile(values: object): Promise<Outcome | undefined> {
  for (const [name, value] of Object.entries(values)) {
    if (!(value instanceof File)) continue;
    const isReadable = await value
      .slice(0, 1)
      .arrayBuffer()
      .then(() => true)
      .catch(() => false);
    const text = messages.resumeChanged;
    if (!isReadable) return { sent: false, text, errors: { [name]: text } };
  }
  return undefined;
}
