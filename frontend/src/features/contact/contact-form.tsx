import { useEffect, useRef, type ComponentProps } from 'react';
import { flushSync } from 'react-dom';
import { contactSchema, emptyContact } from 'form-service/contract/contact';
import { contactFields } from 'form-service/contract/fields';
import { messages } from 'form-service/contract/messages';
import { Field } from '../../components/ui/field.tsx';
import { button } from '../../components/ui/actions.tsx';
import { Honeypot } from '../../components/ui/honeypot.tsx';
import { Notice } from '../../components/ui/notice.tsx';
import { notify, Toaster } from './toaster.tsx';
import type { SubmissionResult } from '../submit.ts';
import { fieldProps, useSubmission, type FormState } from '../use-submission.ts';

const OUTCOME_ID = 'contact-outcome';

/** Returns the reason of a failure, with the HTTP status in front, if there is one. */
const reasonOf = ({ status, reason }: SubmissionResult & { sent: false }) =>
  [status, reason || messages.contactFailedDetail].filter(Boolean).join(': ');

/**
 * Contact form. A toast reports the result; the reference, or the reason of a failure, also stays next to the button.
 * Without JavaScript the form posts as plain HTML to the same address.
 */
export function ContactForm() {
  const { state, form, reset } = useSubmission({
    empty: emptyContact,
    schema: contactSchema,
    path: '/api/contact',
    encode: JSON.stringify,
    onSettled(result, clear) {
      if (result.sent) clear();
      notify(
        result.sent
          ? { title: messages.contactSent, description: messages.contactSentDetail, type: 'success' }
          : { title: messages.contactFailed, description: reasonOf(result), type: 'error' },
      );
    },
  });
  return (
    <>
      <ContactFields
        state={state}
        form={form}
        onWriteAnother={() => {
          // The first field is hidden until then.
          flushSync(reset);
          form.ref.current?.querySelector('input')?.focus();
        }}
      />
      <Toaster />
    </>
  );
}

export interface ContactFieldsProps {
  readonly state: FormState;
  readonly form?: ComponentProps<'form'>;
  readonly onWriteAnother?: () => void;
}

/** Contact form in a given state. Once an enquiry is accepted, its confirmation takes the place of the fields. */
export function ContactFields({ state: { result, ...state }, form, onWriteAnother }: ContactFieldsProps) {
  const isSent = result?.sent === true;
  return (
    <>
      <form
        className={isSent ? undefined : 'grid gap-5'}
        hidden={isSent || undefined}
        method="post"
        action="/api/contact"
        {...form}
      >
        {contactFields.map((field) => (
          <Field key={field.name} {...fieldProps({ result, ...state }, field)} />
        ))}
        <Honeypot />
        <button
          className={`${button.primary} justify-self-start`}
          type="submit"
          aria-disabled={state.isSubmitting || undefined}
          aria-describedby={result && OUTCOME_ID}
          suppressHydrationWarning
        >
          {state.isSubmitting ? 'Sending Message...' : 'Send Message'}
        </button>
        {result?.sent === false && (
          <Notice id={OUTCOME_ID} kind="error" title={messages.contactFailed}>
            <p>{reasonOf(result)}</p>
          </Notice>
        )}
      </form>
      {isSent && <Confirmation reference={result.reference} onWriteAnother={onWriteAnother} />}
    </>
  );
}

interface ConfirmationProps {
  readonly reference: string;
  readonly onWriteAnother?: (() => void) | undefined;
}

/** The reference of an accepted enquiry and what happens next. It takes the focus, which was on a button that has gone. */
function Confirmation({ reference, onWriteAnother }: ConfirmationProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.focus();
  }, []);
  return (
    <div
      ref={box}
      id={OUTCOME_ID}
      tabIndex={-1}
      data-sent=""
      className="grid grid-rows-[auto_auto_1fr] gap-6 lg:min-h-144"
    >
      <div>
        <h3 className="text-2xl" data-font="">
          Your enquiry is with us
        </h3>
        <p className="mt-3 text-lg">{messages.contactSentDetail}</p>
        <p className="text-lg">{messages.reference(reference)}</p>
      </div>
      <ol className="knotted-string grid gap-6">
        {messages.contactNext.map(([when, what]) => (
          <li key={when}>
            <b>{when}</b>
            <p className="text-muted">{what}</p>
          </li>
        ))}
      </ol>
      <button
        className={`${button.secondary} self-end justify-self-start bg-surface`}
        type="button"
        onClick={onWriteAnother}
      >
        Write another
      </button>
    </div>
  );
}
