import { messages } from '../../contract/messages.ts';
import { Refusal } from '../refusal.ts';

/** Every refusal of a file names the field, so that a plain form comes back with the message beside it. */
export function resumeRefusal(message: string): Refusal {
  const errors = { resume: [message] };
  switch (message) {
    case messages.resumeTooLarge:
      return new Refusal(413, 'too-large', message, { errors });
    case messages.resumeWrongType:
    case messages.resumeSaveAsPdf:
      return new Refusal(415, 'wrong-type', message, { errors });
    default:
      return Refusal.invalid(message, errors);
  }
}
