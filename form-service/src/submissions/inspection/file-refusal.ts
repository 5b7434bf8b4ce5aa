import { messages } from '../../contract/messages.ts';
import { HttpError } from '../../intake/http-error.ts';

/** Every refusal of a file names the field, so that a plain form comes back with the message beside it. */
const beside = (message: string) => ({ errors: { resume: [message] } });

/** It is not a PDF or Word document, or not the one it claims to be. */
export function wrongType(): HttpError {
  return new HttpError(415, 'wrong-type', messages.resumeWrongType, beside(messages.resumeWrongType));
}

export function tooLarge(): HttpError {
  return new HttpError(413, 'too-large', messages.resumeTooLarge, beside(messages.resumeTooLarge));
}

/** It is the right kind of document, and cannot be used. */
export function unusable(message: string): HttpError {
  return HttpError.invalid(message, { resume: [message] });
}

export const damaged = (): HttpError => unusable('The file is damaged or incomplete. Please export it again and send it.');

export const passwordProtected = (): HttpError => unusable('The file is protected with a password. Please send it without one.');
