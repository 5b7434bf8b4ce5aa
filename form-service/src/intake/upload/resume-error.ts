import { messages } from '../../contract/messages.ts';
import { HttpError } from '../http-error.ts';

/** An error about the file. It names the field, so that a plain form is shown again with the message beside it. */
export function resumeError(message: string): HttpError {
  const errors = { resume: [message] };
  switch (message) {
    case messages.resumeTooLarge:
      return new HttpError(413, 'too-large', message, { errors });
    case messages.resumeWrongType:
    case messages.resumeSaveAsPdf:
      return new HttpError(415, 'wrong-type', message, { errors });
    default:
      return HttpError.invalid(message, errors);
  }
}
