import type { Request } from 'express';
import { HONEYPOT } from '../../contract/honeypot.ts';

/** What the screening knows of a sender besides the submission itself. Missing parts tell nothing. */
export interface Sender {
  /** Client address from the one trusted proxy. */
  readonly address: string | undefined;
  readonly filledHoneypot: boolean;
}

export function senderOf(request: Request): Sender {
  const body = request.body as Readonly<Record<string, unknown>>;
  const bait = Object.hasOwn(body, HONEYPOT.name) ? body[HONEYPOT.name] : undefined;
  return { address: request.ip, filledHoneypot: typeof bait === 'string' && bait.trim() !== '' };
}
