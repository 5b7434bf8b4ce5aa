import type { Request } from 'express';
import { FORM_TOKEN_HEADER } from '../contract/form-token.ts';
import { HONEYPOT } from '../contract/honeypot.ts';

/** What the spam filter knows of a sender besides the submission itself. Missing parts tell nothing. */
export interface Sender {
  /** Client address from the one trusted proxy. */
  readonly address: string | undefined;
  readonly filledHoneypot: boolean;
  /** As it came: unread, unjudged. */
  readonly formToken?: string | undefined;
}

export function senderOf(request: Request): Sender {
  const body = request.body as Readonly<Record<string, unknown>>;
  const bait = Object.hasOwn(body, HONEYPOT.name) ? body[HONEYPOT.name] : undefined;
  return {
    address: request.ip,
    filledHoneypot: typeof bait === 'string' && bait.trim() !== '',
    formToken: request.get(FORM_TOKEN_HEADER) || undefined,
  };
}
