import { useEffect, useRef, type ComponentProps, type SubmitEvent } from 'react';
import { flushSync } from 'react-dom';
import type { Form, FormField } from 'form-service/contract/define-form';
import { messages } from 'form-service/contract/messages';
import type { FormWords } from 'form-service/contract/form-words';
import { showAndFocus } from '../components/ui/show-and-focus.ts';
import { button, sendingButton } from '../components/ui/actions.tsx';
import { Honeypot } from '../components/ui/honeypot.tsx';
import { Notice } from '../components/ui/notice.tsx';
import { withoutBreaks } from '../components/ui/rich-text.tsx';
import { failureDetail, FieldRows, isText } from './form-parts.tsx';
import type { SubmissionResult } from './submit.ts';
import { dismissToasts, notify, Toaster } from './toaster.tsx';
import { useSubmission, type FormState } from './use-submission.ts';

/** Number of required fields that lift the kite next to the form (`kites.css`). */
const LIFTING_FIELDS = 4;

/** The style sheet can tell whether these are filled in. A date has no placeholder, so it never looks empty. */
const canLift = (field: FormField) => field.required && field.input !== 'date' && isText(field);

/** Returns the reason of a failure, with the HTTP status in front, if there is one. */
const reasonOf = (form: Form, { status, reason, statusText }: SubmissionResult & { sent: false }) =>
  [status, reason || statusText || failureDetail(form)].filter(Boolean).join(': ');

/** Whether a proxy or firewall answered in place of the service, with nothing but the text of the status. */
const isForeign = ({ reason, statusText }: SubmissionResult & { sent: false }) => !reason && Boolean(statusText);

export interface FormProps {
  readonly form: Form;
}

/**
 * Form in a section. A toast reports the result; the reference, or the reason of a failure, also stays above the button.
 * Without JavaScript the form posts as plain HTML to the same address.
 */
export function SectionForm({ form }: FormProps) {
  const { state, props, read, reset } = useSubmission(form, (result, clear) => {
    const { sent, sentDetail, failed } = form.words;
    if (result.sent) clear();
    notify(
      result.sent
        ? { title: sent, description: sentDetail, type: 'success' }
        : { title: failed, description: reasonOf(form, result), type: 'error' },
    );
  });
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    dismissToasts();
    props.onSubmit(event);
  };
  return (
    <>
      <SectionFields
        form={form}
        state={state}
        props={{ ...props, onSubmit }}
        onFileRemoved={read}
        onWriteAnother={() => {
          // The first field is hidden until then.
          flushSync(reset);
          showAndFocus(props.ref.current?.querySelector('input'), 'nearest');
        }}
      />
      <Toaster />
    </>
  );
}

export interface SectionFieldsProps extends FormProps {
  readonly state: FormState;
  readonly props?: ComponentProps<'form'>;
  readonly onFileRemoved?: () => void;
  readonly onWriteAnother?: () => void;
}

/** Form of a section in a given state. Once a submission is accepted, its confirmation takes the place of the fields. */
export function SectionFields({ form, state, props, onFileRemoved, onWriteAnother }: SectionFieldsProps) {
  const { result, isSubmitting, isWaiting } = state;
  const { kind, path, encoding, fields, file, words } = form;
  const isSent = result?.sent === true;
  const sending = isWaiting ? messages.stillSending : words.sending;
  const outcomeId = `${kind}-outcome`;
  return (
    <>
      <form
        className={isSent ? undefined : 'grid gap-6'}
        hidden={isSent || undefined}
        method="post"
        action={path}
        encType={file && encoding}
        {...props}
      >
        <FieldRows
          fields={fields}
          state={state}
          lifting={fields.filter(canLift).slice(0, LIFTING_FIELDS)}
          onRemoved={onFileRemoved}
          className="gap-6"
          columns="bar:grid-cols-2"
        />
        <Honeypot />
        {result?.sent === false && (
          <Notice id={outcomeId} kind="error" title={words.failed}>
            <p>
              {reasonOf(form, result)}
              {isForeign(result) && `. ${failureDetail(form)}`}
            </p>
          </Notice>
        )}
        <button
          className={`${isSubmitting ? sendingButton : button.primary} justify-self-start`}
          type="submit"
          aria-disabled={isSubmitting || undefined}
          aria-describedby={result && outcomeId}
          suppressHydrationWarning
        >
          {isSubmitting ? sending : words.submit}
        </button>
      </form>
      {isSent && (
        <Confirmation id={outcomeId} words={words} reference={result.reference} onWriteAnother={onWriteAnother} />
      )}
    </>
  );
}

interface ConfirmationProps {
  readonly id: string;
  readonly words: FormWords;
  readonly reference: string;
  readonly onWriteAnother?: (() => void) | undefined;
}

/** The reference of an accepted submission and what happens next. It takes the focus, which was on a button that has gone. */
function Confirmation({ id, words, reference, onWriteAnother }: ConfirmationProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    showAndFocus(box.current, 'start');
  }, []);
  return (
    <div ref={box} id={id} tabIndex={-1} data-sent="" className="grid grid-rows-[auto_auto_1fr] gap-6 lg:min-h-144">
      <div>
        <h3 className="text-2xl">{words.confirmation ?? words.sent}</h3>
        <p className="mt-3 text-lg">{words.sentDetail}</p>
        <p className="text-lg">{withoutBreaks(messages.reference({ reference }))}</p>
      </div>
      <ol className="knotted-string grid gap-6">
        {words.next?.map(({ when, what }) => (
          <li key={when}>
            <b>{when}</b>
            <p className="text-muted">{what}</p>
          </li>
        ))}
      </ol>
      {words.another && (
        <button
          className={`${button.secondary} self-end justify-self-start bg-surface`}
          type="button"
          onClick={onWriteAnother}
        >
          {words.another}
        </button>
      )}
    </div>
  );
}
