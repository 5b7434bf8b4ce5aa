import { useEffect, useState, type SubmitEvent } from 'react';
import { createPortal } from 'react-dom';
import { applicationSchema, emptyApplication } from 'form-service/contract/application';
import { applicationFields } from 'form-service/contract/fields';
import { Field } from '../../components/ui/field.tsx';
import { button } from '../../components/ui/actions.tsx';
import { Honeypot } from '../../components/ui/honeypot.tsx';
import { useSubmission } from '../use-submission.ts';
import { ApplicationStatus } from './application-status.tsx';
import { ResumeInput } from './resume-input.tsx';
import { sendApplication } from './send-application.ts';

/** Milliseconds the success box shows before the form is cleared and closed. */
const CLOSE_DELAY_MS = 2000;

const MISSING_ID = 'application-missing';

const empty = { ...emptyApplication, resume: null as File | null };

/** The job application. Closing its dialog, by Cancel or otherwise, ends what is being sent. */
export function ApplicationForm() {
  const [progress, setProgress] = useState<number>();
  const [receipt, setReceipt] = useState<{ readonly text: string; readonly place: Element | null | undefined }>();
  // Prerendered, the button is enabled: without a script nothing would ever enable it.
  const [interactive, setInteractive] = useState(false);
  const { form, fieldProps, values, setFieldValue, isSubmitting, outcome, cancel, reset } = useSubmission({
    empty,
    schema: applicationSchema,
    send: (application, attempt) =>
      sendApplication(application, attempt, setProgress).finally(() => setProgress(undefined)),
    onSettled({ sent, text }) {
      if (!sent) console.error('The application was not accepted:', text);
    },
  });

  // oxlint-disable-next-line react/set-state-in-effect -- false on the server, true in the browser
  useEffect(() => setInteractive(true), []);

  useEffect(() => {
    const dialog = form.ref.current?.closest('dialog');
    const closed = () => {
      cancel();
      if (!outcome?.sent) return;
      // The browser has given the focus back to what opened the dialog.
      setReceipt({ text: outcome.text, place: document.activeElement?.parentElement });
      reset();
    };
    dialog?.addEventListener('close', closed);
    const closing = outcome?.sent ? setTimeout(() => dialog?.close(), CLOSE_DELAY_MS) : undefined;
    return () => {
      clearTimeout(closing);
      dialog?.removeEventListener('close', closed);
    };
    // oxlint-disable-next-line react/exhaustive-deps -- once an outcome: what it calls is the same for each
  }, [outcome]);

  const missing = applicationFields.filter(({ name, required }) => required && !values[name]);
  const incomplete = interactive && missing.length > 0;

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    if (!incomplete && !outcome?.sent) return form.onSubmit(event);
    event.preventDefault();
    document.getElementById(missing[0]?.name ?? '')?.focus();
  };

  return (
    <form
      className="grid gap-5"
      method="post"
      action="/api/resume"
      encType="multipart/form-data"
      {...form}
      onSubmit={submit}
    >
      <p suppressHydrationWarning>Fields marked * are required.</p>
      {applicationFields.map((field) =>
        field.name === 'resume' ? (
          <ResumeInput
            key={field.name}
            field={field}
            file={values.resume}
            onFile={(file) => void setFieldValue('resume', file)}
          />
        ) : (
          <Field key={field.name} {...fieldProps(field)} />
        ),
      )}
      <Honeypot />
      <ApplicationStatus outcome={outcome} progress={isSubmitting ? progress : undefined} />
      {incomplete && (
        <p id={MISSING_ID}>{`Still needed: ${missing.map(({ label }) => label.replace(' *', '')).join(', ')}`}</p>
      )}
      <p className="mt-lead flex flex-wrap gap-x-4 gap-y-3">
        <button
          className={button.primary}
          type="submit"
          aria-disabled={isSubmitting || incomplete || outcome?.sent || undefined}
          aria-describedby={incomplete ? MISSING_ID : undefined}
          suppressHydrationWarning
        >
          {isSubmitting ? 'Submitting...' : 'Submit Application'}
        </button>
        <button className={`${button.secondary} no-js:hidden`} type="button" data-closes suppressHydrationWarning>
          Cancel
        </button>
      </p>
      {receipt?.place && createPortal(<output className="notice">{receipt.text}</output>, receipt.place)}
    </form>
  );
}
