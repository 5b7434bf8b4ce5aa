import { isNativeError } from 'node:util/types';
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import * as client from 'openid-client';
import { MINUTE_MS } from '../settings/durations.ts';
import { OIDC, type InboxUser } from '../settings/inbox-users.ts';
import { SETTINGS, type Settings } from '../settings/settings.ts';
import { Database } from '../database/database.ts';
import { secretOf } from '../database/properties.ts';
import { clearCookie, readCookie, readSigned, setCookie, sign } from '../http/cookies.ts';
import { HttpError, notFound } from '../http/http-error.ts';
import { Log } from '../observability/log.ts';
import { ownOrigin } from './request.ts';
import { lacksAddress, verifiedAddress, type Verified } from './verified-address.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('signIn');

const TIMEOUT_MS = 5_000;

const CALLBACK = '/inbox/sign-in/callback';

/** The user has this long to sign in at the provider. */
const SIGN_IN_MS = 10 * MINUTE_MS;

const COOKIE = 'inbox-oidc';

/** The latest sign-in that a browser has begun at the provider, in a signed cookie. */
export interface Transaction {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Path of the page to open afterwards. */
  readonly to: string;
  readonly until: number;
}

/** A refused sign-in: a sentence for the user, and the reason for the log, which names no person. */
export class SignInRefusedError extends HttpError {
  /** @param code error code of the OpenID Connect library */
  constructor(
    readonly why: string,
    sentence: string,
    readonly code?: string,
  ) {
    super('forbidden', sentence);
  }
}

type OidcSettings = Pick<Settings, 'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET'>;

const NAMES: Readonly<Record<string, string>> = {
  'accounts.google.com': 'Google',
  'login.microsoftonline.com': 'Microsoft',
};

/** Returns the name of the provider on the button: that of a known one, otherwise its host. */
export function providerName({ OIDC_ISSUER }: OidcSettings): string | undefined {
  const host = OIDC_ISSUER && new URL(OIDC_ISSUER).host;
  return host && (NAMES[host] ?? host);
}

/**
 * Reads the configuration that the issuer publishes (OpenID Connect Discovery).
 *
 * @param timeoutMs time limit of this request, and of each later one with this configuration
 */
export function discover({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET }: OidcSettings, timeoutMs = TIMEOUT_MS) {
  const issuer = new URL(OIDC_ISSUER ?? '');
  const [post, basic] = [client.ClientSecretPost(OIDC_CLIENT_SECRET), client.ClientSecretBasic(OIDC_CLIENT_SECRET)];
  const authenticate: client.ClientAuth = (server, ...rest) =>
    // Basic is the default of the specification where the issuer names no methods.
    (server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ? post : basic)(server, ...rest);
  return client.discovery(issuer, OIDC_CLIENT_ID ?? '', undefined, authenticate, {
    timeout: timeoutMs / 1_000,
    // Checks the ID token's signature, which the library leaves to TLS by default.
    execute: [
      client.enableNonRepudiationChecks,
      ...(issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []),
    ],
  });
}

/** Returns the code of the first cause why a discovery failed. */
function discoveryCode(error: unknown): string {
  let last = error as NodeJS.ErrnoException;
  while (isNativeError(last.cause)) last = last.cause;
  return last.code ?? last.message;
}

/** Signs users in at an OpenID Connect provider: authorization code flow with PKCE, state and nonce. */
@Injectable()
export class OpenIdConnect {
  timeoutMs = TIMEOUT_MS;
  private readonly log = new Log('Inbox');
  private readonly name: string | undefined;

  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'INBOX_USERS' | keyof OidcSettings>,
    private readonly database: Database,
  ) {
    this.name = providerName(settings);
  }

  /** Begins a sign-in. @returns the provider's URL. @throws HttpError 404 or 503 */
  async begin(to: string, request: Request, response: Response): Promise<URL> {
    const configuration = await this.configuration();
    const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
    const transaction: Transaction = { state, nonce, verifier, to, until: Date.now() + SIGN_IN_MS };
    setCookie(request, response, COOKIE, sign(transaction, await this.key()), SIGN_IN_MS);
    return client.buildAuthorizationUrl(configuration, {
      redirect_uri: `${ownOrigin(request)}${CALLBACK}`,
      scope: 'openid profile email',
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
  }

  /** Returns the transaction that the provider's answer belongs to, and ends it. @throws SignInRefusedError */
  async take(request: Request, response: Response): Promise<Transaction> {
    const transaction = readSigned<Transaction>(readCookie(request, COOKIE), await this.key());
    if (!transaction || Date.now() >= transaction.until || transaction.state !== request.query['state'])
      throw new SignInRefusedError('state', words.expired);
    clearCookie(request, response, COOKIE);
    return transaction;
  }

  /**
   * Returns the user who has signed in at the provider.
   *
   * @throws SignInRefusedError
   * @throws HttpError 404 or 503
   */
  async finish(transaction: Transaction, request: Request): Promise<InboxUser> {
    const configuration = await this.configuration();
    const url = new URL(`${ownOrigin(request)}${request.originalUrl}`);
    try {
      return this.userOf(await this.addressFrom(configuration, url, transaction));
    } catch (error) {
      if (error instanceof SignInRefusedError) throw error;
      const isDenied = error instanceof client.AuthorizationResponseError && error.error === 'access_denied';
      const { code, name } = error as NodeJS.ErrnoException;
      const sentence = words.refused({ provider: this.name ?? '' });
      throw new SignInRefusedError(isDenied ? 'access_denied' : 'token', sentence, code ?? name);
    }
  }

  /** Exchanges the code for an ID token, and returns the verified address. */
  private async addressFrom(
    configuration: client.Configuration,
    url: URL,
    { state, nonce, verifier }: Transaction,
  ): Promise<Verified> {
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
    const tokens = await client.authorizationCodeGrant(configuration, url, checks);
    const claims = tokens.claims() ?? { sub: '' };
    const isAsked = lacksAddress(claims) && configuration.serverMetadata().userinfo_endpoint !== undefined;
    const userinfo = isAsked ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub) : undefined;
    return verifiedAddress(claims, userinfo);
  }

  /** Returns the user of a verified address. @throws SignInRefusedError */
  private userOf(verified: Verified): InboxUser {
    const address = 'address' in verified ? verified.address : undefined;
    const user = this.settings.INBOX_USERS?.find(
      ({ name, hash }) => hash === OIDC && name.toLowerCase() === address?.toLowerCase(),
    );
    if (user) return user;
    const provider = this.name ?? '';
    const sentence = address ? words.noUser({ address, provider }) : words.noAddress({ provider });
    throw new SignInRefusedError('why' in verified ? verified.why : 'not a user', sentence);
  }

  /**
   * Discovers the provider for each step of a sign-in. It may have new keys, which the library fetches once for each
   * discovery.
   *
   * @throws HttpError 404 if there is no provider, 503 if it cannot be reached
   */
  private async configuration(): Promise<client.Configuration> {
    if (!this.name) throw notFound();
    try {
      return await discover(this.settings, this.timeoutMs);
    } catch (error) {
      this.log.warn({ event: 'single sign-on unavailable', code: discoveryCode(error) });
      throw new HttpError('unavailable', words.unavailable({ provider: this.name }), { retryAfterSeconds: 30 });
    }
  }

  private key = () => secretOf(this.database, 'inbox single sign-on key');
}
