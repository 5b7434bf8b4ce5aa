import { contactSchema, emptyContact } from 'form-service/contract/contact';
import { contactFields } from 'form-service/contract/fields';
import { messages } from 'form-service/contract/messages';
import { Field } from '../../components/ui/field.tsx';
import { FieldForBots } from '../../components/ui/field-for-bots.tsx';
import { notify, Toaster } from '../toast/toaster.tsx';
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
      <form className="form" method="post" action="/api/contact" {...form}>
        {contactFields.map((field) => (
          <Field key={field.name} {...fieldProps(field)} />
        ))}
        <FieldForBots />
        <button
          className="button"
          type="submit"
          aria-disabled={isSubmitting || undefined}
          aria-describedby={outcome && OUTCOME_ID}
          suppressHydrationWarning
        >
          {isSubmitting ? 'Sending Message...' : 'Send Message'}
        </button>
        {outcome && (
          <div className={`notice notice--${outcome.sent ? 'success' : 'error'}`} id={OUTCOME_ID}>
            <p className="notice-title">{outcome.sent ? 'Your enquiry is with us' : messages.contactFailed}</p>
            <p>{outcome.text || messages.contactFailedDetail}</p>
          </div>
        )}
      </form>
      <Toaster />
    </>
  );
}
