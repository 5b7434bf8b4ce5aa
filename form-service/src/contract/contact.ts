import { object, type InferType } from 'yup';
import { contactLabels } from './labels.ts';
import { messages } from './messages.ts';
import services from './services.json' with { type: 'json' };
import { emailAddress, line, lines, ownFields, visibleLength } from './text.ts';

/** Services that an enquiry can be about, in the order of the select box. */
export const SERVICE_OPTIONS: readonly string[] = services;

/** Contact enquiry: the body of `POST /api/contact`. Unknown fields are dropped. */
export const contactSchema = object({
  name: line()
    .label(contactLabels.name)
    .test('min', messages.nameTooShort, (value) => visibleLength(value) >= 2),
  email: emailAddress(messages.invalidEmailAddress).label(contactLabels.email).min(1, messages.invalidEmailAddress),
  phone: line().label(contactLabels.phone),
  service: line()
    .min(1, messages.serviceMissing)
    .oneOf(['', ...SERVICE_OPTIONS], messages.serviceMissing),
  message: lines()
    .label(contactLabels.message)
    .test('min', messages.messageTooShort, (value) => visibleLength(value) >= 10),
})
  .noUnknown()
  .transform(ownFields)
  .typeError(messages.invalidInput)
  .required(messages.invalidInput);

export type Contact = InferType<typeof contactSchema>;

/** Initial values: every field is an empty string. */
export const emptyContact: Contact = contactSchema.getDefault();
