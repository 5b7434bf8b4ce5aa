import { useFormik } from 'formik';
import { useEffect, useRef, useState } from 'react';
import { contactSchema, emptyContact } from 'form-service/contract/contact';
import { contactFields } from 'form-service/contract/fields';
import { messages } from 'form-service/contract/messages';
import { Field } from '../../components/field.tsx';
import { FieldForBots, filledByBot } from '../../components/field-for-bots.tsx';
import { useFormToken } from '../../http/form-token.ts';
import { useIdempotencyKey } from '../../http/idempotency.ts';
import { toastStore } from '../toast/toast-store.ts';
import { sendContact } from './send-contact.ts';
import { typedValues } from '../../components/typed-values.ts';

/**
 * The enquiry form (spec 2.6 and 4). It is checked on submit, and from then on at every change. Without a script it
 * posts as plain HTML to the same address.
 */
export function ContactForm() {
  const form = useRef<HTMLFormElement>(null);
  const { keyFor, renew } = useIdempotencyKey();
  const token = useFormToken(form);
  const [submitted, setSubmitted] = useState(false);

  const formik = useFormik({
    initialValues: emptyContact,
    validationSchema: contactSchema,
    validateOnBlur: false,
    validateOnChange: submitted,
    async onSubmit(values, { resetForm }) {
      try {
        await sendContact({ ...values, ...filledByBot(form.current) }, keyFor(JSON.stringify(values)), token.headers());
        renew();
        token.renew();
        setSubmitted(false);
        resetForm();
        toastStore.add({ title: messages.contactSent, description: messages.contactSentDetail });
      } catch (error) {
        toastStore.add({
          title: messages.contactFailed,
          description: (error instanceof Error && error.message) || messages.contactFailedDetail,
          variant: 'destructive',
        });
      }
    },
  });

  const { setValues, errors, values, isSubmitting, submitCount } = formik;

  useEffect(() => {
    // What was typed before React came is in the controls already.
    const controls = form.current;
    if (controls) void setValues((current) => ({ ...current, ...typedValues(controls, current) }), false);
  }, [setValues]);

  useEffect(() => {
    // The errors of an attempt are there when it has ended.
    if (submitCount > 0 && !isSubmitting) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [submitCount, isSubmitting]);

  return (
    <form
      ref={form}
      className="form"
      method="post"
      action="/api/contact"
      noValidate
      onSubmit={(event) => {
        setSubmitted(true);
        formik.handleSubmit(event);
      }}
    >
      {contactFields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={values[field.name]}
          error={submitted ? errors[field.name] : undefined}
          onChange={formik.handleChange}
        />
      ))}
      <FieldForBots />
      <button className="button" type="submit" disabled={isSubmitting}>
        {isSubmitting ? 'Sending Message...' : 'Send Message'}
      </button>
    </form>
  );
}
