import type { Contact } from 'form-service/contract/contact';
import { postJson } from './request.ts';
import type { Attempt } from '../use-submission.ts';

/**
 * Sends an enquiry: `POST /api/contact`.
 *
 * @returns what the service says of it, with its reference
 * @throws HttpError "{status}: {text}" when it was not accepted; another error when there was no answer
 */
export async function sendContact(contact: Contact, { headers }: Attempt): Promise<string> {
  return (await postJson('/api/contact', contact, headers)).text();
}
