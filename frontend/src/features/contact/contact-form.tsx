import { contactSchema, emptyContact } from 'form-service/contract/contact';
import { contactFields } from 'form-service/contract/fields';
import { messages } from 'form-service/contract/messages';
import { Field } from '../../components/ui/field.tsx';
import { button } from '../../components/ui/actions.tsx';
import { Honeypot } from '../../components/ui/honeypot.tsx';
import { Notice } from '../../components/ui/notice.tsx';
import { notify, Toaster } from './toaster.tsx';
import { useSubmission } from '../use-submission.ts';
import { sendContact } from './send-contact.ts';

const OUTCOME_ID = 'contact-outcome';

/**
 * The enquiry form. Toasts tell what became of an enquiry; its reference, or the reason of a failure, also stays beside
 * the button. Without a script the form posts as plain HTML to the same address.
 */
export function ContactForm() {
  const { form, fieldProps, isSubmitting, outcome } = useSubmission({
    empty: emptyContact,
    schema: contactSchema,
    send: sendContact,
    onSettled({ sent, text }, reset) {
      if (sent) reset();
      notify(
        sent
          ? { title: messages.contactSent, description: messages.contactSentDetail, type: 'success' }
          : { title: messages.contactFailed, description: text || messages.contactFailedDetail, type: 'error' },
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
            <p>{outcome.text || messages.contactFailedDetail}</p>
          </Notice>
        )}
      </form>
      <Toaster />
    </>
  );
}
