import { object, type InferType } from 'yup';
import { messages } from './messages.ts';
import services from './services.json' with { type: 'json' };
import { emailAddress, line, lines, ownFields } from './text.ts';

/** The subjects of an enquiry, in the order of the select box. */
export const SERVICE_OPTIONS: readonly string[] = services;

/** A contact enquiry: the body of `POST /api/contact`. Unknown fields are dropped. */
export const contactSchema = object({
  name: line()
    .label('Name')
    .test('min', messages.nameTooShort, (value) => value.trim().length >= 2),
  email: emailAddress(messages.invalidEmailAddress).label('Email').min(1, messages.invalidEmailAddress),
  phone: line().label('Phone'),
  service: line()
    .min(1, messages.serviceMissing)
    .oneOf(['', ...SERVICE_OPTIONS], messages.serviceMissing),
  message: lines()
    .label('Message')
    .test('min', messages.messageTooShort, (value) => value.trim().length >= 10),
})
  .noUnknown()
  .transform(ownFields)
  .typeError(messages.invalidInput)
  .required(messages.invalidInput);

export type Contact = InferType<typeof contactSchema>;

/** Every field is an empty string at first. */
export const emptyContact: Contact = contactSchema.getDefault();
