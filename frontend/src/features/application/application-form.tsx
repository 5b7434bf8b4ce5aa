import { useFormik } from 'formik';
import { useEffect, useRef, useState } from 'react';
import { applicationSchema, emptyApplication } from 'form-service/contract/application';
import { applicationFields } from 'form-service/contract/fields';
import { messages } from 'form-service/contract/messages';
import { Field } from '../../components/field.tsx';
import { FieldForBots, filledByBot } from '../../components/field-for-bots.tsx';
import { typedValues } from '../../components/typed-values.ts';
import { useFormToken } from '../../http/form-token.ts';
import { useIdempotencyKey } from '../../http/idempotency.ts';
import { ApplicationStatus, type SubmitStatus } from './application-status.tsx';
import { ResumeInput } from './resume-input.tsx';
import { sendApplication } from './send-application.ts';

/** Milliseconds the success box shows before the form is cleared and closed (spec 9). */
const CLOSE_DELAY_MS = 2000;

/** The job application (spec 2.7 and 4). */
export function ApplicationForm() {
  const form = useRef<HTMLFormElement>(null);
  const { keyFor, renew } = useIdempotencyKey();
  const token = useFormToken(form);
  const [resume, setResume] = useState<File | null>(null);
  const [status, setStatus] = useState<SubmitStatus>('idle');
  const [progress, setProgress] = useState<number>();
  // Prerendered, the button is enabled: without a script nothing would ever enable it.
  const [interactive, setInteractive] = useState(false);

  const formik = useFormik({
    initialValues: emptyApplication,
    validationSchema: applicationSchema,
    validateOnBlur: false,
    validateOnChange: false,
    async onSubmit(values, { resetForm }) {
      if (!resume) return;
      setStatus('idle');
      try {
        const key = keyFor(JSON.stringify([values, resume.name, resume.size, resume.lastModified]));
        await sendApplication({ ...values, ...filledByBot(form.current) }, resume, key, token.headers(), setProgress);
        renew();
        token.renew();
        setStatus('success');
        setTimeout(() => {
          resetForm();
          setResume(null);
          setStatus('idle');
          form.current?.closest('dialog')?.close();
        }, CLOSE_DELAY_MS);
      } catch (error) {
        console.error('The application was not accepted:', error instanceof Error ? error.message : messages.submissionFailed);
        setStatus('error');
      } finally {
        setProgress(undefined);
      }
    },
  });

  const { values, errors, isSubmitting, submitCount, setValues } = formik;

  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- it is about hydration: false on the server, true in the browser
    setInteractive(true);
    // What was typed or chosen before React came is in the controls already.
    const controls = form.current;
    if (controls) void setValues((current) => ({ ...current, ...typedValues(controls, current) }), false);
  }, [setValues]);

  useEffect(() => {
    // The errors of an attempt are there when it has ended.
    if (submitCount > 0 && !isSubmitting) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [submitCount, isSubmitting]);

  const complete = values.fullName !== '' && values.email !== '' && resume !== null;

  return (
    <form
      ref={form}
      className="form"
      method="post"
      action="/api/resume"
      encType="multipart/form-data"
      noValidate
      onSubmit={formik.handleSubmit}
    >
      {applicationFields.map((field) =>
        field.name === 'resume' ? (
          <ResumeInput key={field.name} field={field} file={resume} onFile={setResume} />
        ) : (
          <Field key={field.name} field={field} value={values[field.name]} error={errors[field.name]} onChange={formik.handleChange} />
        ),
      )}
      <FieldForBots />
      <ApplicationStatus status={status} progress={isSubmitting ? progress : undefined} />
      <p className="actions">
        <button className="button" type="submit" disabled={isSubmitting || status === 'success' || (interactive && !complete)}>
          {isSubmitting ? 'Submitting...' : 'Submit Application'}
        </button>
        <button className="button button--quiet needs-script" type="button" data-closes disabled={isSubmitting}>
          Cancel
        </button>
      </p>
    </form>
  );
}
