import type { Request } from 'express';
import { FORM_TOKEN_HEADER } from '../contract/form-token.ts';
import { HONEYPOT } from '../contract/honeypot.ts';

/** What the spam filter knows of a sender besides the submission itself. A missing part is no signal. */
export interface Sender {
  /** The client address that the trusted proxy states. */
  readonly address: string | undefined;
  readonly filledHoneypot: boolean;
  /** The form token as it was sent, not verified yet. */
  readonly formToken?: string | undefined;
}

export function senderOf(request: Request): Sender {
  const body = request.body as Readonly<Record<string, unknown>>;
  const honeypot = Object.hasOwn(body, HONEYPOT.name) ? body[HONEYPOT.name] : undefined;
  return {
    address: request.ip,
    filledHoneypot: typeof honeypot === 'string' && honeypot.trim() !== '',
    formToken: request.get(FORM_TOKEN_HEADER) || undefined,
  };
}
