import { object, type InferType } from 'yup';
import { messages } from './messages.ts';
import { emailAddress, line, lines, ownFields } from './text.ts';

/** The text fields of a job application: `POST /api/resume` without the file. Unknown fields are dropped. */
export const applicationSchema = object({
  fullName: line()
    .label('Full name')
    .test('required', messages.required, (value) => value.trim().length > 0),
  email: emailAddress(messages.invalidEmail).label('Email address').min(1, messages.required),
  phone: line().label('Phone number'),
  position: line().label('Position of interest'),
  experience: line().label('Years of experience'),
  coverLetter: lines().label('Cover letter'),
})
  .noUnknown()
  .transform(ownFields)
  .typeError(messages.invalidInput)
  .required(messages.invalidInput);

export type Application = InferType<typeof applicationSchema>;

/** Every field is an empty string at first. */
export const emptyApplication: Application = applicationSchema.getDefault();
