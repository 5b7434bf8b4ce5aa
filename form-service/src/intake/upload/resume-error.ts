import { messages } from '../../contract/messages.ts';
import { HttpError } from '../http-error.ts';

/** Every error about a file names the field, so that a plain form comes back with the message beside it. */
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
