import { contactSchema, emptyContact } from 'form-service/contract/contact';
import { contactFields } from 'form-service/contract/fields';
import { messages } from 'form-service/contract/messages';
import { Field } from '../../components/ui/field.tsx';
import { button } from '../../components/ui/actions.tsx';
import { Honeypot } from '../../components/ui/honeypot.tsx';
import { Notice } from '../../components/ui/notice.tsx';
import { notify, Toaster } from './toaster.tsx';
import type { Outcome } from '../submit.ts';
import { useSubmission } from '../use-submission.ts';

const OUTCOME_ID = 'contact-outcome';

/** An answer's reason has its status before it. */
const reasonOf = ({ status, text }: Outcome) =>
  [status, text || messages.contactFailedDetail].filter(Boolean).join(': ');

/**
 * The enquiry form. Toasts tell what became of an enquiry; its reference, or the reason of a failure, also stays beside
 * the button. Without a script the form posts as plain HTML to the same address.
 */
export function ContactForm() {
  const { form, fieldProps, isSubmitting, outcome } = useSubmission({
    empty: emptyContact,
    schema: contactSchema,
    path: '/api/contact',
    encode: JSON.stringify,
    onSettled(settled, reset) {
      if (settled.sent) reset();
      notify(
        settled.sent
          ? { title: messages.contactSent, description: messages.contactSentDetail, type: 'success' }
          : { title: messages.contactFailed, description: reasonOf(settled), type: 'error' },
      );
    },
  });

  return (
    <>
      <form className="grid gap-5" method="post" action="/api/contact" {...form}>
        {contactFields.map((field) => (
          <Field key={field.name} {...fieldProps(field)} />
        ))}
        <Honeypot />
        <button
          className={`${button.primary} justify-self-start`}
          type="submit"
          aria-disabled={isSubmitting || undefined}
          aria-describedby={outcome && OUTCOME_ID}
          suppressHydrationWarning
        >
          {isSubmitting ? 'Sending Message...' : 'Send Message'}
        </button>
        {outcome && (
          <Notice
            id={OUTCOME_ID}
            kind={outcome.sent ? 'success' : 'error'}
            title={outcome.sent ? 'Your enquiry is with us' : messages.contactFailed}
          >
            <p>{outcome.sent ? `${messages.contactSentDetail} ${outcome.text}` : reasonOf(outcome)}</p>
          </Notice>
        )}
      </form>
      <Toaster />
    </>
  );
}
