import { useEffect, useEffectEvent, useState, type SubmitEvent } from 'react';
import { createPortal } from 'react-dom';
import type { Form } from 'form-service/contract/define-form';
import { messages } from 'form-service/contract/messages';
import type { FormWords } from 'form-service/contract/form-words';
import { showAndFocus } from '../components/ui/show-and-focus.ts';
import { button, sendingButton } from '../components/ui/actions.tsx';
import { Honeypot } from '../components/ui/honeypot.tsx';
import { Notice } from '../components/ui/notice.tsx';
import { withoutBreaks } from '../components/ui/rich-text.tsx';
import { failureDetail, FieldRows } from './form-parts.tsx';
import type { FormProps, SectionFieldsProps } from './section-form.tsx';
import type { SubmissionResult } from './submit.ts';
import { useSubmission, type FormValues } from './use-submission.ts';

/** Milliseconds for which the success box is shown before the dialog closes and the form is cleared. */
const CLOSE_DELAY_MS = 2000;

/**
 * Form in a dialog. Closing the dialog cancels the upload. Once the whole body has been sent, the
 * submission cannot be taken back, and the answer is reported next to the link that opened the dialog.
 */
export function DialogForm({ form }: FormProps) {
  /** The notice next to that link, without a result while the answer is pending. */
  const [closedNotice, setClosedNotice] = useState<{ place?: Element | null; result?: SubmissionResult }>();
  const { state, props, read, cancel, reset } = useSubmission(form, (result) => {
    if (!result.sent) console.error(`${messages.submissionFailed}:`, result.reason);
    setClosedNotice((pending) => pending && { ...pending, result });
  });
  const { isSubmitting, progress, result } = state;

  const closed = useEffectEvent(() => {
    // The browser has returned the focus to the link.
    const place = document.activeElement?.parentElement ?? null;
    if (isSubmitting && progress < 1) {
      cancel();
      setClosedNotice({ place, result: { sent: false, reason: form.words.notSent ?? '' } });
    } else if (isSubmitting) {
      setClosedNotice({ place });
    } else if (result?.sent) {
      setClosedNotice({ place, result });
      reset();
    }
  });
  const finished = useEffectEvent(() => {
    const dialog = props.ref.current?.closest('dialog');
    if (dialog?.open) dialog.close();
    else reset();
  });
  useEffect(() => {
    const dialog = props.ref.current?.closest('dialog');
    dialog?.addEventListener('close', closed);
    const closing = result?.sent ? setTimeout(finished, CLOSE_DELAY_MS) : undefined;
    return () => {
      clearTimeout(closing);
      dialog?.removeEventListener('close', closed);
    };
  }, [props.ref, result]);

  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    const [missing] = missingIn(form, read());
    if (!missing && !result?.sent) {
      setClosedNotice(undefined);
      return props.onSubmit(event);
    }
    event.preventDefault();
    showAndFocus(document.getElementById(missing?.name ?? ''), 'nearest');
  };

  return (
    <>
      <DialogFields form={form} state={state} props={{ ...props, onSubmit }} onFileRemoved={read} />
      {closedNotice?.place &&
        createPortal(<ClosedNotice words={form.words} result={closedNotice.result} />, closedNotice.place)}
    </>
  );
}

const missingIn = ({ fields }: Form, values: FormValues) =>
  fields.filter(({ name, required }) => required && !values[name]);

type DialogFieldsProps = Omit<SectionFieldsProps, 'onWriteAnother'>;

/** Form of a dialog in a given state. Before hydration its button is enabled: without JavaScript nothing would do so. */
export function DialogFields({ form, state, props, onFileRemoved }: DialogFieldsProps) {
  const { values, isSubmitting, result } = state;
  const { kind, path, encoding, fields, file, words } = form;
  const missing = values ? missingIn(form, values) : [];
  const isIncomplete = missing.length > 0;
  const missingId = `${kind}-missing`;
  return (
    <form className="grid gap-5" method="post" action={path} encType={file && encoding} {...props}>
      <p suppressHydrationWarning>{messages.requiredMark}</p>
      <FieldRows fields={fields} state={state} onRemoved={onFileRemoved} className="gap-5" columns="sm:grid-cols-2" />
      <Honeypot />
      <DialogStatus form={form} state={state} />
      <div className="grid gap-5 bg-paper py-3 sm:-bottom-10 sm:high:sticky">
        {isIncomplete && (
          <p id={missingId}>{`${messages.stillNeeded} ${missing.map(({ label }) => label).join(', ')}`}</p>
        )}
        <p className="flex flex-wrap gap-x-4 gap-y-3">
          <button
            className={isSubmitting ? sendingButton : button.primary}
            type="submit"
            aria-disabled={isSubmitting || isIncomplete || result?.sent || undefined}
            aria-describedby={isIncomplete ? missingId : undefined}
            suppressHydrationWarning
          >
            {isSubmitting ? words.sending : words.submit}
          </button>
          <button
            className={`${button.secondary} no-js:hidden`}
            type="button"
            data-closes={isSubmitting ? undefined : ''}
            aria-disabled={isSubmitting || undefined}
            suppressHydrationWarning
          >
            {messages.cancel}
          </button>
        </p>
      </div>
    </form>
  );
}

/** Result of a submission whose dialog was closed before the answer, or of one that was cancelled by closing it. */
export const ClosedNotice = ({ words, result }: { words: FormWords; result: SubmissionResult | undefined }) => (
  <output className={result?.sent === false ? 'notice-error notice' : 'notice'}>
    {withoutBreaks((result ? textOf(result) || words.failed : words.unanswered) ?? '')}
  </output>
);

const textOf = (result: SubmissionResult) =>
  result.sent ? messages.reference({ reference: result.reference }) : result.reason;

/** Progress bar of the upload, then the green or the red box. */
const DialogStatus = ({ form, state: { result, isSubmitting, progress, isWaiting } }: DialogFieldsProps) => (
  <div aria-live="polite">
    {isSubmitting && (
      <div className="grid gap-[0.4rem]">
        <label htmlFor="site-upload">
          {isWaiting ? messages.stillSending : (form.words.uploading ?? form.words.sending)}
        </label>
        {/* With the reset's border, Chromium draws its own bar in green and grey. */}
        <progress id="site-upload" value={progress} className="w-full accent-signal [border:revert]" />
      </div>
    )}
    {result?.sent === true && (
      <Notice kind="success" title={form.words.sent}>
        <p>{form.words.sentDetail}</p>
        <p>{withoutBreaks(messages.reference({ reference: result.reference }))}</p>
      </Notice>
    )}
    {result?.sent === false && (
      <Notice kind="error" title={form.words.failed}>
        <p>{result.reason || messages.submissionFailed}</p>
        <p>{failureDetail(form)}</p>
      </Notice>
    )}
  </div>
);
