import { IDEMPOTENCY_HEADER } from '../contract/answer.ts';
import type { Contact } from '../contract/contact.ts';

/** Longer than a visitor would wait, in milliseconds. */
const TIMEOUT_MS = 15_000;

/** The same each time, in every version: workers that send it under one key must send one content. */
const ENQUIRY: Contact = {
  name: 'Canary',
  email: 'canary@kitewright.example',
  phone: '',
  service: 'Web Development',
  message: 'A synthetic enquiry, which shows that the way from the form to the inbox works. Nobody needs to answer it.',
};

/** The reference that was promised, or why there is none. */
export type CanaryAnswer =
  | { readonly reference: string }
  | { readonly reference: undefined; readonly problem: 'refused' | 'unreachable' };

/** Posts the synthetic enquiry to the site, through whatever visitors go through. */
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
