import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import * as client from 'openid-client';
import { Database } from '../database/database.ts';
import {
  clearCookie,
  cookieNames,
  readCookie,
  readSigned,
  setCookie,
  sign,
  unverifiedContent,
} from '../http/cookies.ts';
import { inboxKey } from './inbox-keys.ts';

/** The user has this long to sign in at the provider. */
const LIFETIME_MS = 10 * 60_000;

/** Maximum number of open sign-ins of a browser, and of the bytes of their cookies: nginx takes 12 kB of headers. */
const OPEN_MAX = 5;
const BYTES_MAX = 4_000;

/** The name of a cookie ends with the first characters of the state, so that tabs do not overwrite each other's. */
const PREFIX = 'inbox-oidc-';
const cookieOf = (state: string) => `${PREFIX}${state.slice(0, 8)}`;

/** One sign-in at the provider, in a signed cookie of the browser that began it. */
export interface Transaction {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Path of the page to open afterwards. */
  readonly to: string;
  /** Value of `prompt`, which makes the provider ask the user. */
  readonly prompt?: string | undefined;
  readonly until: number;
}

/** Sign-ins that wait for the provider's answer. */
@Injectable()
export class OidcTransactions {
  constructor(private readonly database: Database) {}

  /** Begins a transaction. Removes those of the browser that have expired, and the oldest if there are too many. */
  async begin(to: string, prompt: string | undefined, request: Request, response: Response): Promise<Transaction> {
    const key = await this.key();
    const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
    const transaction: Transaction = { state, nonce, verifier, to, prompt, until: Date.now() + LIFETIME_MS };
    const value = sign(transaction, key);
    let [open, bytes] = [1, value.length];
    for (const name of newestFirst(request)) {
      open++;
      bytes += readCookie(request, name).length;
      const isKept = open <= OPEN_MAX && bytes <= BYTES_MAX && this.read(request, name, key) !== undefined;
      if (!isKept) clearCookie(request, response, name);
    }
    setCookie(request, response, cookieOf(state), value, LIFETIME_MS);
    return transaction;
  }

  /** Returns the open transaction of this state. */
  async find(state: string, request: Request): Promise<Transaction | undefined> {
    const transaction = this.read(request, cookieOf(state), await this.key());
    return transaction?.state === state ? transaction : undefined;
  }

  /** Ends a transaction, which is for one use. The others of the browser go on. */
  end({ state }: Transaction, request: Request, response: Response): void {
    clearCookie(request, response, cookieOf(state));
  }

  private read(request: Request, name: string, key: Buffer): Transaction | undefined {
    const transaction = readSigned<Transaction>(readCookie(request, name), key);
    return transaction && Date.now() < transaction.until ? transaction : undefined;
  }

  private key = () => inboxKey(this.database, 'single sign-on');
}

/** Names of the browser's cookies of transactions. */
function newestFirst(request: Request): string[] {
  const untilOf = (name: string) => Number(unverifiedContent<Transaction>(readCookie(request, name)).until ?? 0);
  return cookieNames(request, PREFIX).toSorted((a, b) => untilOf(b) - untilOf(a));
}
