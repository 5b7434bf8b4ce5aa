import { useEffect, useEffectEvent, useState, type SubmitEvent } from 'react';
import { createPortal } from 'react-dom';
import { applicationSchema, emptyApplication } from 'form-service/contract/application';
import { applicationFields } from 'form-service/contract/fields';
import { messages } from 'form-service/contract/messages';
import { company } from 'virtual:content';
import { Field } from '../../components/ui/field.tsx';
import { button } from '../../components/ui/actions.tsx';
import { Honeypot } from '../../components/ui/honeypot.tsx';
import { Notice } from '../../components/ui/notice.tsx';
import type { Outcome } from '../submit.ts';
import { useSubmission } from '../use-submission.ts';
import { ResumeInput } from './resume-input.tsx';

/** Milliseconds the success box shows before the form is cleared and closed. */
const CLOSE_DELAY_MS = 2000;

const MISSING_ID = 'application-missing';

const empty = { ...emptyApplication, resume: null as File | null };

/** What the page says where the dialog was opened, after it was closed. */
interface Told {
  readonly place: Element | null | undefined;
  /** Nothing while the answer is waited for. */
  readonly outcome?: Outcome;
}

const NOT_SENT: Outcome = { sent: false, text: messages.applicationNotSent };

/**
 * The job application. Closing its dialog ends what is being sent; once all of it is sent, nobody can take it back, and
 * the answer is told beside what opened the dialog.
 */
export function ApplicationForm() {
  const [told, setTold] = useState<Told>();
  // Prerendered, the button is enabled: without a script nothing would ever enable it.
  const [interactive, setInteractive] = useState(false);
  const { form, fieldProps, errorOf, values, setFieldValue, isSubmitting, progress, outcome, cancel, reset } =
    useSubmission({
      empty,
      schema: applicationSchema,
      path: '/api/resume',
      encode,
      onSettled(settled) {
        if (!settled.sent) console.error(`${messages.submissionFailed}:`, settled.text);
        // It was closed while the answer was waited for.
        setTold((waiting) => waiting && { ...waiting, outcome: settled });
      },
    });

  // oxlint-disable-next-line react/set-state-in-effect -- false on the server, true in the browser
  useEffect(() => setInteractive(true), []);

  const closed = useEffectEvent(() => {
    // The browser has given the focus back to what opened the dialog.
    const place = document.activeElement?.parentElement;
    if (isSubmitting && progress < 1) {
      cancel();
      setTold({ place, outcome: NOT_SENT });
    } else if (isSubmitting) {
      setTold({ place });
    } else if (outcome?.sent) {
      setTold({ place, outcome });
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
    const closing = outcome?.sent ? setTimeout(finished, CLOSE_DELAY_MS) : undefined;
    return () => {
      clearTimeout(closing);
      dialog?.removeEventListener('close', closed);
    };
  }, [form.ref, outcome]);

  const missing = applicationFields.filter(({ name, required }) => required && !values[name]);
  const incomplete = interactive && missing.length > 0;

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    if (!incomplete && !outcome?.sent) {
      setTold(undefined);
      return form.onSubmit(event);
    }
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
            error={errorOf('resume')}
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
      {told?.place &&
        createPortal(
          <output className={told.outcome?.sent === false ? 'notice-error notice' : 'notice'}>
            {told.outcome ? told.outcome.text || messages.applicationFailed : messages.applicationUnanswered}
          </output>,
          told.place,
        )}
    </form>
  );
}

/** Multipart form data, which a file needs. */
function encode(application: Readonly<Record<string, string | File | null>>): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(application)) {
    // A control character in a file's name cannot be said in a form.
    if (value instanceof File) body.append(name, value, value.name.replace(/\p{Cc}/gu, ' '));
    else if (value !== null) body.append(name, value);
  }
  return body;
}

export interface ApplicationStatusProps {
  readonly outcome?: Outcome | undefined;
  /** Share of the file that is sent, 0 to 1, while it is. */
  readonly progress?: number | undefined;
}

/** What became of the application: a progress bar, then the green or the red box. */
export const ApplicationStatus = ({ outcome, progress }: ApplicationStatusProps) => (
  <div aria-live="polite">
    {progress !== undefined && (
      <div className="grid gap-[0.4rem]">
        <label htmlFor="upload-progress">Sending your résumé</label>
        {/* With a border of the page's, Chromium draws a bar of its own in green and grey. */}
        <progress id="upload-progress" value={progress} className="w-full accent-signal [border:revert]" />
      </div>
    )}
    {outcome?.sent === true && (
      <Notice kind="success" title={messages.applicationSent}>
        <p>{messages.applicationSentDetail}</p>
        <p>{outcome.text}</p>
      </Notice>
    )}
    {outcome?.sent === false && (
      <Notice kind="error" title={messages.applicationFailed}>
        {outcome.text && <p>{outcome.text}</p>}
        <p>{messages.applicationFailedDetail(company.careersEmail)}</p>
      </Notice>
    )}
  </div>
);
