import { useFormik } from 'formik';
import { useEffect, useRef, useState, type RefObject, type SubmitEvent } from 'react';
import type { Form, FormField } from 'form-service/contract/define-form';
import { messages } from 'form-service/contract/messages';
import { ValidationError } from 'yup';
import { showAndFocus } from '../components/ui/show-and-focus.ts';
import { honeypotValue } from '../components/ui/honeypot.tsx';
import { submit, type SubmissionResult } from './submit.ts';
import { useSubmissionHeaders } from './use-submission-headers.ts';

/** Values of a form by field name; `null` for a file control without a file. */
export type FormValues = Readonly<Record<string, string | File | null>>;

/** Everything that a form is drawn from. */
export interface FormState {
  /** Values that the controls held when they were last read; `undefined` before hydration. */
  readonly values: FormValues | undefined;
  /** Messages by field name. */
  readonly errors: Readonly<Record<string, string | undefined>>;
  readonly isSubmitting: boolean;
  /** Share of the body that has been uploaded, 0 to 1. */
  readonly progress: number;
  /** Whether the service cannot take the submission now, and it is sent again in some seconds. */
  readonly isWaiting: boolean;
  readonly result: SubmissionResult | undefined;
}

/** Controls with an error. Of radio buttons their group is invalid. */
const INVALID = '[aria-invalid]:not(fieldset), fieldset[aria-invalid] input';

/**
 * Submits a form whose controls are its only source of truth: password managers, form fillers and speech tools may set
 * values without any event. The controls are read at submit, and for display whenever the visitor touches the form.
 * Formik validates at submit, and keeps errors and submission state. After the first submit each field that changes is
 * validated again, alone.
 */
export function useSubmission(
  { schema, path, fields, file }: Form,
  onSettled: (result: SubmissionResult, clear: () => void) => void,
) {
  const form = useRef<HTMLFormElement>(null);
  const attempt = useRef<AbortController>(undefined);
  /** Whether an attempt is in progress. The state does not tell it yet to the second of two clicks in the same task. */
  const isBusy = useRef(false);
  /** Values of the last attempt. */
  const sent = useRef<FormValues>({});
  const { headersFor, requestToken, renew } = useSubmissionHeaders();
  const [values, setValues] = useState<FormValues>();
  const [result, setResult] = useState<SubmissionResult>();
  const [progress, setProgress] = useState(0);
  const [isWaiting, setWaiting] = useState(false);

  const lastRead = useRef<FormValues>(undefined);

  const { errors, isSubmitting, submitCount, submitForm, resetForm, setErrors, setFieldError } = useFormik<FormValues>({
    initialValues: {},
    validateOnBlur: false,
    validateOnChange: false,
    validate() {
      const current = read();
      const problems = fields.map(({ name }) => [name, problemAt(schema, name, current)] as const);
      return Object.fromEntries(problems.filter(([, problem]) => problem !== undefined));
    },
    async onSubmit() {
      const current = (sent.current = read());
      const { signal } = (attempt.current = new AbortController());
      setProgress(0);
      const filled = { ...current, ...honeypotValue(form.current) };
      const body = file ? formDataOf(filled) : JSON.stringify(filled);
      const progressed = { onProgress: setProgress, onWaiting: setWaiting };
      const send = () => submit({ path, body, headers: headersFor(current), signal, ...progressed });
      const answer = (await changedFile(current)) ?? (await send());
      if (signal.aborted) return;
      // The file may also change while it is uploaded.
      const settled = answer.sent ? answer : ((await changedFile(current)) ?? answer);
      if (settled.sent) {
        renew();
      } else if (settled.errors) {
        const files = Object.keys(settled.errors).filter((name) => current[name] instanceof File);
        // A corrected file of the same name could not be chosen otherwise.
        emptyUnchanged(form, current, files);
        const now = read();
        const unchanged = ([name]: readonly [string, string]) => now[name] === current[name] || now[name] === null;
        setErrors(Object.fromEntries(Object.entries(settled.errors).filter(unchanged)));
      }
      setResult(settled);
      onSettled(settled, clear);
    },
  });

  /** Reads the controls. After the first submit it validates each field that has changed. */
  const read = (): FormValues => {
    const current = valuesOf(form, fields);
    const last = lastRead.current ?? {};
    const changed = fields.filter(({ name }) => current[name] !== last[name]);
    if (changed.length === 0) return current;
    setValues((lastRead.current = current));
    // In the same task as the values, so that the form is rendered once.
    if (submitCount > 0) for (const { name } of changed) setFieldError(name, problemAt(schema, name, current));
    return current;
  };

  const clear = () => {
    emptyUnchanged(form, sent.current);
    read();
    // The emptied fields have no errors.
    resetForm();
  };

  useEffect(() => {
    // The visitor may have filled the form, or have the focus in it, before hydration.
    read();
    if (form.current?.contains(document.activeElement)) requestToken();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, at hydration
  }, []);

  useEffect(() => {
    // At the end of an attempt the first invalid field gets the focus.
    if (submitCount > 0 && !isSubmitting) showAndFocus(form.current?.querySelector<HTMLElement>(INVALID), 'nearest');
  }, [submitCount, isSubmitting]);

  useEffect(() => {
    if (!isSubmitting) return undefined;
    const askBeforeLeaving = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', askBeforeLeaving);
    return () => removeEventListener('beforeunload', askBeforeLeaving);
  }, [isSubmitting]);

  const onTouch = () => {
    requestToken();
    read();
  };
  const state: FormState = { values, errors, isSubmitting, progress, isWaiting, result };
  return {
    state,
    /** Properties of the `form` element. */
    props: {
      ref: form,
      noValidate: true,
      // Buttons are not disabled while the form is sent, which would take the focus from them.
      onSubmit(event: SubmitEvent<HTMLFormElement>) {
        event.preventDefault();
        if (isBusy.current) return;
        isBusy.current = true;
        // The result of the last attempt, which the validation of this one may refuse.
        setResult(undefined);
        void submitForm().finally(() => (isBusy.current = false));
      },
      onFocus: onTouch,
      onInput: onTouch,
      onChange: onTouch,
      onPointerOver: read,
    },
    read,
    cancel: () => attempt.current?.abort(),
    reset() {
      clear();
      setResult(undefined);
    },
  };
}

/** Returns the control of a field. Of several with one name, it is the chosen one; without a choice there is none. */
const controlOf = (form: RefObject<HTMLFormElement | null>, name: string) =>
  form.current?.querySelector<HTMLInputElement>(
    `[name="${name}"]:not([type=radio], [type=checkbox]), [name="${name}"]:checked`,
  );

const valueOf = (control: HTMLInputElement) => (control.type === 'file' ? (control.files?.[0] ?? null) : control.value);

function valuesOf(form: RefObject<HTMLFormElement | null>, fields: readonly FormField[]): FormValues {
  const entries = fields.map(({ name, input }) => {
    const control = controlOf(form, name);
    if (control) return [name, valueOf(control)];
    return [name, input === 'file' ? null : ''];
  });
  return Object.fromEntries(entries) as FormValues;
}

/** Encodes values as multipart form data, which a file requires. */
function formDataOf(values: FormValues): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(values)) {
    // Multipart form data cannot represent control characters in file names.
    if (value instanceof File) body.append(name, value, value.name.replace(/\p{Cc}/gu, ' '));
    else if (value !== null) body.append(name, value);
  }
  return body;
}

/** Empties the controls that still hold what was sent. What the visitor has entered since then stays. */
function emptyUnchanged(form: RefObject<HTMLFormElement | null>, sent: FormValues, names = Object.keys(sent)): void {
  for (const name of names) {
    const control = controlOf(form, name);
    if (!control || valueOf(control) !== sent[name]) continue;
    if (/radio|checkbox/.test(control.type)) control.checked = false;
    else control.value = '';
  }
}

/** Returns the schema's message for a field. A file is not in the schema. */
function problemAt(schema: Form['schema'], name: string, values: FormValues): string | undefined {
  if (!(name in schema.fields)) return undefined;
  try {
    schema.validateSyncAt(name, values);
    return undefined;
  } catch (error) {
    if (ValidationError.isError(error)) return error.errors[0];
    throw error;
  }
}

/**
 * Finds a file that was changed or deleted after it was chosen. Chromium and WebKit do not send it. Firefox sends its new
 * bytes under the old length, so the service waits for the rest or cannot read the form.
 */
async function changedFile(values: FormValues): Promise<SubmissionResult | undefined> {
  for (const [name, value] of Object.entries(values)) {
    if (!(value instanceof File)) continue;
    const bytes = await value.arrayBuffer().then(
      ({ byteLength }) => byteLength,
      () => undefined,
    );
    const reason = messages.resumeChanged;
    if (bytes !== value.size) return { sent: false, reason, errors: { [name]: reason } };
  }
  return undefined;
}
