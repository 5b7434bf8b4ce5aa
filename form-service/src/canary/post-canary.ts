import { IDEMPOTENCY_HEADER } from '../contract/answer.ts';
import type { Contact } from '../contract/contact.ts';

/** A visitor would not wait longer than this. */
const TIMEOUT_MS = 15_000;

/** The content is the same each time and in every version, because several workers send it under one key. */
const ENQUIRY: Contact = {
  name: 'Canary',
  email: 'canary@kitewright.example',
  phone: '',
  service: 'Web Development',
  message: 'A synthetic enquiry, which shows that the way from the form to the inbox works. Nobody needs to answer it.',
};

/** The reference in the answer, or the reason why there is none. */
export type CanaryAnswer =
  | { readonly reference: string }
  | { readonly reference: undefined; readonly problem: 'refused' | 'unreachable' };

/** Posts a canary to the site, the way that visitors post. */
export async function postCanary(url: URL, key: string, stopping: AbortSignal): Promise<CanaryAnswer> {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json', [IDEMPOTENCY_HEADER]: key };
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(ENQUIRY),
      signal,
      redirect: 'error',
    });
    const answer = (await response.json()) as { reference?: unknown };
    if (response.status === 202 && typeof answer.reference === 'string') return { reference: answer.reference };
    return { reference: undefined, problem: 'refused' };
  } catch {
    return { reference: undefined, problem: 'unreachable' };
  }
}
