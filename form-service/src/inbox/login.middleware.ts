import { createHmac, randomBytes } from 'node:crypto';
import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { findUser, type InboxUser } from '../config/inbox-users.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { Refusal } from './refusal.filter.ts';

/** One address may try so many wrong passwords in a minute. */
const TRIES_PER_MINUTE = 10;

/** So many logins are compared at a time; each takes a tenth of a second of a processor and 32 MiB. */
const COMPARISONS_MAX = 4;

/** A login that was right is remembered for so long, so that a page does not cost a comparison each. */
const REMEMBERED_MS = 10 * 60_000;

/**
 * The pages are for one person at one time. The policy is the site's own without script; no page can be framed, and
 * nothing is kept by browsers, proxies or search engines.
 */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex, nofollow',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/** Who may see a page of the inbox; set by {@link LoginMiddleware} before any controller runs. */
export function userOf(response: Response): InboxUser {
  return (response.locals as { user: InboxUser }).user;
}

/** Lets users of `INBOX_USERS` through by HTTP Basic (RFC 7617), over TLS or from this machine, and nobody else. */
@Injectable()
export class LoginMiddleware implements NestMiddleware {
  private readonly limiter = new RateLimiterMemory({ points: TRIES_PER_MINUTE, duration: 60 });
  private readonly key = randomBytes(32);
  private readonly remembered = new Map<string, { readonly user: InboxUser; readonly until: number }>();
  private comparisons = 0;

  constructor(@Inject(SETTINGS) private readonly settings: Pick<Settings, 'INBOX_USERS'>) {}

  /** @throws Refusal */
  async use(request: Request, response: Response, next: NextFunction): Promise<void> {
    response.set(HEADERS);
    const users = this.settings.INBOX_USERS;
    if (!users) throw new Refusal(404, 'There is nothing at this address.');
    if (!isPrivateConnection(request))
      throw new Refusal(403, 'The inbox opens only over https, so that nobody on the way reads a password.');
    if (!isFromOurPages(request)) throw new Refusal(403, 'This was sent from another site, so nothing was done.');
    const credentials = credentialsOf(request);
    if (!credentials) throw notSignedIn();
    // nginx names the visitor alone; without nginx the peer is the visitor.
    const client = request.get('x-forwarded-for') ?? request.socket.remoteAddress ?? '';
    response.locals.user = this.recall(credentials) ?? (await this.compare(users, credentials, client));
    next();
  }

  private async compare(users: readonly InboxUser[], credentials: Credentials, client: string): Promise<InboxUser> {
    await this.limiter.consume(client).catch(({ msBeforeNext }: RateLimiterRes) => {
      const headers = { 'Retry-After': String(Math.ceil(msBeforeNext / 1_000)) };
      throw new Refusal(429, 'Too many tries to sign in. Please wait a minute.', headers);
    });
    if (this.comparisons >= COMPARISONS_MAX) {
      const sentence = 'Too many people are signing in. Please try again in a few seconds.';
      throw new Refusal(503, sentence, { 'Retry-After': '2' });
    }
    this.comparisons++;
    try {
      const user = await findUser(users, credentials.name, credentials.password);
      if (!user) throw notSignedIn();
      await this.limiter.reward(client);
      this.remember(credentials, user);
      return user;
    } finally {
      this.comparisons--;
    }
  }

  /** The password itself is not kept, only a digest that means nothing outside of this process. */
  private digest({ name, password }: Credentials): string {
    return createHmac('sha256', this.key).update(`${name}:${password}`).digest('base64');
  }

  private recall(credentials: Credentials): InboxUser | undefined {
    const found = this.remembered.get(this.digest(credentials));
    return found && found.until > Date.now() ? found.user : undefined;
  }

  private remember(credentials: Credentials, user: InboxUser): void {
    for (const [digest, { until }] of this.remembered) if (until <= Date.now()) this.remembered.delete(digest);
    this.remembered.set(this.digest(credentials), { user, until: Date.now() + REMEMBERED_MS });
  }
}

const notSignedIn = () =>
  new Refusal(401, 'Please sign in with your name and password.', {
    'WWW-Authenticate': 'Basic realm="Inbox", charset="UTF-8"',
  });

interface Credentials {
  readonly name: string;
  readonly password: string;
}

function credentialsOf(request: Request): Credentials | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/]{1,500}={0,2})$/i.exec(request.get('authorization') ?? '')?.[1];
  const [, name, password] = /^([^:]*):(.*)$/su.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? [];
  return name === undefined || password === undefined ? undefined : { name, password };
}

/** Whether nobody between the browser and nginx can read along: over TLS, or on this machine itself. */
function isPrivateConnection(request: Request): boolean {
  return (
    request.get('x-forwarded-proto') === 'https' ||
    /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(request.get('host') ?? '')
  );
}

/**
 * Whether what changes something comes from a page of the inbox. A browser says so itself; one that does not know
 * `Sec-Fetch-Site` names the origin.
 */
function isFromOurPages(request: Request): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true;
  const site = request.get('sec-fetch-site');
  const origin = request.get('origin');
  const isOurOrigin = origin !== undefined && URL.canParse(origin) && new URL(origin).hostname === request.hostname;
  return site === undefined ? isOurOrigin : site === 'same-origin' && (origin === undefined || isOurOrigin);
}
