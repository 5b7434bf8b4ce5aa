import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { HOUR_MS, MINUTE_MS } from '../settings/durations.ts';
import { lineOf, OIDC, type InboxUser } from '../settings/inbox-users.ts';
import { SETTINGS, type Settings } from '../settings/settings.ts';
import { Database } from '../database/database.ts';
import { addExpiring, deleteProperty, propertyOf, secretOf } from '../database/properties.ts';
import { clearCookie, readCookie, readSigned, setCookie, sign, unverifiedContent } from '../http/cookies.ts';

/** A session ends after this time, and `INBOX_IDLE_MINUTES` after the latest request. */
const LIFETIME_MS = 12 * HOUR_MS;

/** The cookie is issued again once it is this old. Also the tolerated difference between the clocks of two workers. */
const RENEWAL_MS = MINUTE_MS;

const COOKIE = 'inbox';

/** Content of a session cookie: the name of the user, and the times of the sign-in and of the latest request. */
interface Session {
  /** Random. */
  readonly id: string;
  readonly name: string;
  readonly since: number;
  readonly seen: number;
}

/**
 * Sessions of the inbox. A session is a signed cookie: it needs no table, every worker accepts it, and a changed or
 * removed line of `INBOX_USERS` ends it. Sign-out stores the id of the ended session in `properties` until the session
 * would have expired. Each user has a signing key there; deleting it ends all sessions of this user.
 */
@Injectable()
export class Sessions {
  constructor(
    @Inject(SETTINGS)
    private readonly settings: Pick<Settings, 'INBOX_USERS' | 'INBOX_IDLE_MINUTES' | 'OIDC_CLIENT_SECRET'>,
    private readonly database: Database,
  ) {}

  /** Starts a session. It ends and replaces any that the browser had (session fixation). */
  async start(user: InboxUser, request: Request, response: Response): Promise<void> {
    const former = await this.read(readCookie(request, COOKIE));
    if (former) await this.revoke(former.session.id);
    const now = Date.now();
    const key = await secretOf(this.database, keyName(user));
    const session: Session = { id: randomBytes(16).toString('base64url'), name: user.name, since: now, seen: now };
    setCookie(request, response, COOKIE, sign(session, this.signingKey(user, key)));
  }

  /** Returns the user of the request's session, and keeps the session alive. */
  async resume(request: Request, response: Response): Promise<InboxUser | undefined> {
    const found = await this.read(readCookie(request, COOKIE));
    if (!found) return undefined;
    const { user, session, key } = found;
    const now = Date.now();
    if (now >= session.seen + RENEWAL_MS) setCookie(request, response, COOKIE, sign({ ...session, seen: now }, key));
    return user;
  }

  /** Ends the request's session, or all of its user, in copied cookies too. */
  async end(user: InboxUser, isEverywhere: boolean, request: Request, response: Response): Promise<void> {
    const { id } = unverifiedContent<Session>(readCookie(request, COOKIE));
    if (id !== undefined && !isEverywhere) await this.revoke(id);
    else await deleteProperty(this.database, keyName(user));
    clearCookie(request, response, COOKIE);
  }

  /** Returns the session of a cookie while it is valid, with its user and the key that signs it. */
  private async read(cookie: string) {
    const { name } = unverifiedContent<Session>(cookie);
    const user = this.settings.INBOX_USERS?.find((one) => one.name === name);
    const secret = user && (await propertyOf(this.database, keyName(user)));
    const key = user && secret && this.signingKey(user, secret);
    const session = key ? readSigned<Session>(cookie, key) : undefined;
    if (!user || !key || !session) return undefined;
    const [now, idleMs] = [Date.now(), this.settings.INBOX_IDLE_MINUTES * MINUTE_MS];
    const isCurrent = now < session.since + LIFETIME_MS && now < session.seen + idleMs;
    if (!isCurrent || session.seen > now + RENEWAL_MS) return undefined;
    const isEnded = (await propertyOf(this.database, endedName(session.id))) !== undefined;
    return isEnded ? undefined : { user, session, key };
  }

  private revoke(id: string): Promise<void> {
    // The clocks of the worker that signed in and of the one that deletes ids may differ from this one.
    return addExpiring(this.database, ENDED, id, LIFETIME_MS + 2 * RENEWAL_MS);
  }

  /**
   * The user's line is part of the key, so that a changed line ends the session. The line of a single sign-on user has no
   * hash, so the client secret is part of the key instead.
   */
  private signingKey(user: InboxUser, key: string): string {
    const secret = user.hash === OIDC ? this.settings.OIDC_CLIENT_SECRET : '';
    return [key, secret, lineOf(user)].join(' ');
  }
}

/** Beginning of the names of properties that hold ids of ended sessions. */
const ENDED = 'inbox session ended ';
const endedName = (id: string) => `${ENDED}${id}`;

const keyName = ({ name }: InboxUser) => `inbox session key of ${name}`;
