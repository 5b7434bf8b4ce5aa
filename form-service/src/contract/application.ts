import { object, type InferType } from 'yup';
import { applicationLabels } from './labels.ts';
import { messages } from './messages.ts';
import { emailAddress, line, lines, ownFields, visibleLength } from './text.ts';

/** Text fields of a job application: `POST /api/resume` without the file. Unknown fields are dropped. */
export const applicationSchema = object({
  fullName: line()
    .label(applicationLabels.fullName)
    .test('required', messages.required, (value) => visibleLength(value) > 0),
  email: emailAddress(messages.invalidEmail).label(applicationLabels.email).min(1, messages.required),
  phone: line().label(applicationLabels.phone),
  position: line().label(applicationLabels.position),
  experience: line().label(applicationLabels.experience),
  coverLetter: lines().label(applicationLabels.coverLetter),
})
  .noUnknown()
  .transform(ownFields)
  .typeError(messages.invalidInput)
  .required(messages.invalidInput);

export type Application = InferType<typeof applicationSchema>;

/** Initial values: every field is an empty string. */
export const emptyApplication: Application = applicationSchema.getDefault();
