import { IDEMPOTENCY_HEADER } from 'form-service/contract/answer';
import type { Contact } from 'form-service/contract/contact';
import { mutate } from '../../http/request.ts';

/**
 * Sends an enquiry: `POST /api/contact` (spec 7).
 *
 * @param headers further ones to be sent along
 * @throws HttpError "{status}: {text}" when it was not accepted; TypeError when there was no answer
 */
export async function sendContact(contact: Contact, idempotencyKey: string, headers: Readonly<Record<string, string>>): Promise<void> {
  await mutate('POST', '/api/contact', contact, { ...headers, [IDEMPOTENCY_HEADER]: idempotencyKey });
}
