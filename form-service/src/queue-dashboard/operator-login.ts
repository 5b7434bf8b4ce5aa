import { hash, timingSafeEqual } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

const USER = 'operator';

/** One address may try so many wrong passwords in a minute. */
const TRIES_PER_MINUTE = 10;

/** Lets only the user `operator` with the password through (RFC 7617), and limits guessing. */
export function operatorLogin(password: string) {
  const expected = digest(`${USER}:${password}`);
  const limiter = new RateLimiterMemory({ points: TRIES_PER_MINUTE, duration: 60 });
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const client = request.socket.remoteAddress ?? '';
    const spent = await limiter.get(client);
    if (spent && spent.remainingPoints <= 0) return refuseFor(spent, response);
    if (timingSafeEqual(digest(credentialsOf(request)), expected)) return next();
    if (request.headers.authorization !== undefined) await limiter.consume(client).catch(() => undefined);
    response
      .status(401)
      .set('WWW-Authenticate', 'Basic realm="Kitewright queue", charset="UTF-8"')
      .type('text')
      .send('A password is needed.');
  };
}

function refuseFor(spent: RateLimiterRes, response: Response): void {
  response
    .status(429)
    .set('Retry-After', String(Math.ceil(spent.msBeforeNext / 1_000)))
    .type('text')
    .send('Too many wrong passwords.');
}

function credentialsOf({ headers }: Request): string {
  const encoded = /^Basic ([A-Za-z0-9+/]{1,500}={0,2})$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  return Buffer.from(encoded, 'base64').toString();
}

/** The digests have one length, so that the time of the comparison tells nothing. */
function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
