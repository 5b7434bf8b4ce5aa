import { useEffect, useEffectEvent, useState, type ComponentProps, type SubmitEvent } from 'react';
import { createPortal } from 'react-dom';
import { applicationSchema, emptyApplication } from 'form-service/contract/application';
import { applicationFields } from 'form-service/contract/fields';
import { messages } from 'form-service/contract/messages';
import { company } from 'virtual:content';
import { Field } from '../../components/ui/field.tsx';
import { button } from '../../components/ui/actions.tsx';
import { Honeypot } from '../../components/ui/honeypot.tsx';
import { Notice } from '../../components/ui/notice.tsx';
import type { SubmissionResult } from '../submit.ts';
import { fieldProps, useSubmission, type FormState, type FormValues } from '../use-submission.ts';
import { ResumeInput } from './resume-input.tsx';

/** Milliseconds for which the success box is shown before the dialog closes and the form is cleared. */
const CLOSE_DELAY_MS = 2000;

const MISSING_ID = 'application-missing';

const empty = { ...emptyApplication, resume: null as File | null };

const NOT_SENT: SubmissionResult = { sent: false, reason: messages.applicationNotSent };

/**
 * Application form, in a dialog. Closing the dialog cancels the upload. Once the whole body has been sent, the
 * submission cannot be taken back, and the answer is reported next to the link that opened the dialog.
 */
export function ApplicationForm() {
  /** The notice next to that link, without a result while the answer is pending. */
  const [closedNotice, setClosedNotice] = useState<{ place?: Element | null; result?: SubmissionResult }>();
  const { state, form, read, cancel, reset } = useSubmission({
    empty,
    schema: applicationSchema,
    path: '/api/resume',
    encode,
    onSettled(result) {
      if (!result.sent) console.error(`${messages.submissionFailed}:`, result.reason);
      setClosedNotice((pending) => pending && { ...pending, result });
    },
  });
  const { isSubmitting, progress, result } = state;

  const closed = useEffectEvent(() => {
    // The browser has returned the focus to the link.
    const place = document.activeElement?.parentElement ?? null;
    if (isSubmitting && progress < 1) {
      cancel();
      setClosedNotice({ place, result: NOT_SENT });
    } else if (isSubmitting) {
      setClosedNotice({ place });
    } else if (result?.sent) {
      setClosedNotice({ place, result });
      reset();
    }
  });
  const finished = useEffectEvent(() => {
    const dialog = form.ref.current?.closest('dialog');
    if (dialog?.open) dialog.close();
    else reset();
  });
  useEffect(() => {
    const dialog = form.ref.current?.closest('dialog');
    dialog?.addEventListener('close', closed);
    const closing = result?.sent ? setTimeout(finished, CLOSE_DELAY_MS) : undefined;
    return () => {
      clearTimeout(closing);
      dialog?.removeEventListener('close', closed);
    };
  }, [form.ref, result]);

  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    const [missing] = missingIn(read());
    if (!missing && !result?.sent) {
      setClosedNotice(undefined);
      return form.onSubmit(event);
    }
    event.preventDefault();
    document.getElementById(missing?.name ?? '')?.focus();
  };

  return (
    <>
      <ApplicationFields state={state} form={{ ...form, onSubmit }} onFileRemoved={read} />
      {closedNotice?.place && createPortal(<ClosedNotice result={closedNotice.result} />, closedNotice.place)}
    </>
  );
}

const missingIn = (values: FormValues) => applicationFields.filter(({ name, required }) => required && !values[name]);

export interface ApplicationFieldsProps {
  readonly state: FormState;
  readonly form?: ComponentProps<'form'>;
  readonly onFileRemoved?: () => void;
}

/** Application form in a given state. Before hydration its button is enabled: without JavaScript nothing would do so. */
export function ApplicationFields({ state, form, onFileRemoved }: ApplicationFieldsProps) {
  const { values, errors, isSubmitting, progress, result } = state;
  const missing = values ? missingIn(values) : [];
  const isIncomplete = missing.length > 0;
  return (
    <form className="grid gap-5" method="post" action="/api/resume" encType="multipart/form-data" {...form}>
      <p suppressHydrationWarning>Fields marked * are required.</p>
      {applicationFields.map((field) =>
        field.name === 'resume' ? (
          <ResumeInput
            key={field.name}
            field={field}
            file={(values?.resume as File | null | undefined) ?? null}
            error={errors.resume}
            onRemoved={onFileRemoved}
          />
        ) : (
          <Field key={field.name} {...fieldProps(state, field)} />
        ),
      )}
      <Honeypot />
      <ApplicationStatus result={result} progress={isSubmitting ? progress : undefined} />
      {isIncomplete && <p id={MISSING_ID}>{`Still needed: ${missing.map(({ label }) => label).join(', ')}`}</p>}
      <p className="mt-lead flex flex-wrap gap-x-4 gap-y-3">
        <button
          className={button.primary}
          type="submit"
          aria-disabled={isSubmitting || isIncomplete || result?.sent || undefined}
          aria-describedby={isIncomplete ? MISSING_ID : undefined}
          suppressHydrationWarning
        >
          {isSubmitting ? 'Submitting...' : 'Submit Application'}
        </button>
        <button
          className={`${button.secondary} no-js:hidden`}
          type="button"
          data-closes={isSubmitting ? undefined : ''}
          aria-disabled={isSubmitting || undefined}
          suppressHydrationWarning
        >
          Cancel
        </button>
      </p>
    </form>
  );
}

/** Result of a submission whose dialog was closed before the answer, or of one that was cancelled by closing it. */
export const ClosedNotice = ({ result }: { result?: SubmissionResult | undefined }) => (
  <output className={result?.sent === false ? 'notice-error notice' : 'notice'}>
    {result ? textOf(result) || messages.applicationFailed : messages.applicationUnanswered}
  </output>
);

const textOf = (result: SubmissionResult) => (result.sent ? messages.reference(result.reference) : result.reason);

/** Encodes values as multipart form data, which a file requires. */
function encode(values: FormValues): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(values)) {
    // Multipart form data cannot represent control characters in file names.
    if (value instanceof File) body.append(name, value, value.name.replace(/\p{Cc}/gu, ' '));
    else if (value !== null) body.append(name, value);
  }
  return body;
}

export interface ApplicationStatusProps {
  readonly result?: SubmissionResult | undefined;
  /** Share that has been uploaded, 0 to 1, while the form is sent. */
  readonly progress?: number | undefined;
}

/** Progress bar of the upload, then the green or the red box. */
export const ApplicationStatus = ({ result, progress }: ApplicationStatusProps) => (
  <div aria-live="polite">
    {progress !== undefined && (
      <div className="grid gap-[0.4rem]">
        <label htmlFor="upload-progress">Sending your résumé</label>
        {/* With the reset's border, Chromium draws its own bar in green and grey. */}
        <progress id="upload-progress" value={progress} className="w-full accent-signal [border:revert]" />
      </div>
    )}
    {result?.sent === true && (
      <Notice kind="success" title={messages.applicationSent}>
        <p>{messages.applicationSentDetail}</p>
        <p>{messages.reference(result.reference)}</p>
      </Notice>
    )}
    {result?.sent === false && (
      <Notice kind="error" title={messages.applicationFailed}>
        {result.reason && <p>{result.reason}</p>}
        <p>{messages.applicationFailedDetail(company.careersEmail)}</p>
      </Notice>
    )}
  </div>
);
