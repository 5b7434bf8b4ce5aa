import { messages } from '../../contract/messages.ts';
import { Refusal } from '../refusal.ts';

/** Every refusal of a file names the field, so that a plain form comes back with the message beside it. */
const beside = (message: string) => ({ errors: { resume: [message] } });

/** It is not a PDF or Word document, or not the one it claims to be. */
export function wrongType(): Refusal {
  return new Refusal(415, 'wrong-type', messages.resumeWrongType, beside(messages.resumeWrongType));
}

export function tooLarge(): Refusal {
  return new Refusal(413, 'too-large', messages.resumeTooLarge, beside(messages.resumeTooLarge));
}

/** It is the right kind of document, and cannot be used. */
export function unusable(message: string): Refusal {
  return Refusal.invalid(message, { resume: [message] });
}

export const damaged = (): Refusal => unusable('The file is damaged or incomplete. Please export it again and send it.');

export const passwordProtected = (): Refusal => unusable('The file is protected with a password. Please send it without one.');
