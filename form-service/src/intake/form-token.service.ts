import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../settings/durations.ts';
import { Database } from '../database/database.ts';
import { secretOf } from '../database/properties.ts';
import type { SpamReason } from '../submissions/submission.ts';

/** A person needs longer than this to read, fill in and send a form after first touching it. */
const TOO_SOON_MS = 3_000;

/** A page may be left open overnight; a token that is days old comes from a program that stores tokens. */
const VALID_FOR_MS = DAY_MS;

/** Property of the installation with the signing key. */
const SECRET = 'form-secret';

const TOKEN = /^(?<time>[0-9a-z]{8,9})\.(?<nonce>[\w-]{12})\.(?<mac>[\w-]{22})$/;

/**
 * Issues and checks form tokens, which prove the age of a form. Pages are static, so the script asks for a token when
 * the visitor first touches the form. A token holds that time, a nonce and an HMAC over both. It is not stored and
 * holds nothing about the visitor.
 */
@Injectable()
export class FormTokenService {
  private known: string | undefined;

  constructor(private readonly database: Database) {}

  /** Returns a new token, or undefined while the secret is not available. */
  async issue(now = Date.now()): Promise<string | undefined> {
    const secret = await this.secret();
    if (secret === undefined) return undefined;
    const signed = `${now.toString(36)}.${randomBytes(9).toString('base64url')}`;
    return `${signed}.${macOf(signed, secret)}`;
  }

  /** Returns the spam signal of a token, if any. A missing token is no signal. */
  async reasonOf(token: string | undefined, now = Date.now()): Promise<SpamReason | undefined> {
    if (token === undefined) return undefined;
    const secret = await this.secret();
    if (secret === undefined) return undefined;
    const { time, nonce, mac } = TOKEN.exec(token)?.groups ?? {};
    if (time === undefined || mac === undefined) return 'form token not ours';
    if (!timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(`${time}.${nonce}`, secret))))
      return 'form token not ours';
    const age = now - Number.parseInt(time, 36);
    if (age > VALID_FOR_MS) return 'form token not ours';
    return age < TOO_SOON_MS ? 'sent within seconds' : undefined;
  }

  /** Whether the token is ours, not expired, and older than a person needs to fill in a form. */
  async isValid(token: string | undefined): Promise<boolean> {
    if (token === undefined || (await this.secret()) === undefined) return false;
    return (await this.reasonOf(token)) === undefined;
  }

  /** Returns the secret of the installation, which the first caller creates; undefined if the database is unavailable. */
  private async secret(): Promise<string | undefined> {
    this.known ??= await secretOf(this.database, SECRET).catch(() => undefined);
    return this.known;
  }
}

function macOf(signed: string, secret: string): string {
  return createHmac('sha256', secret).update(signed).digest().subarray(0, 16).toString('base64url');
}
