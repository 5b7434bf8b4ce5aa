import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import * as client from 'openid-client';
import { OIDC, type InboxUser } from '../config/inbox-users.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { Database } from '../database/database.ts';
import { secretOf } from '../database/properties.ts';
import { HttpError } from '../http/http-error.ts';
import { Log } from '../observability/log.ts';
import { clearCookie, contentOf, isSigned, readCookie, setCookie, sign } from '../http/cookies.ts';
import { ownOrigin } from './same-origin.ts';

const TIMEOUT_S = 5;

/** A discovery is valid for an hour; one that failed is repeated after 30 seconds at the earliest. */
const DISCOVERED_MS = 3_600_000;
const RETRY_MS = 30_000;

/** The user has this long to sign in at the provider. */
const TRANSACTION_MS = 10 * 60_000;

const COOKIE = 'inbox-oidc';
const CALLBACK = '/inbox/sign-in/callback';

/** One sign-in at the provider, in a signed cookie of the browser that began it. */
interface Transaction {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Path of the page to open afterwards. */
  readonly to: string;
  readonly until: number;
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

/** Reads the configuration that the issuer publishes (OpenID Connect Discovery). */
export function discover({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET }: OidcSettings) {
  const issuer = new URL(OIDC_ISSUER ?? '');
  const [post, basic] = [client.ClientSecretPost(OIDC_CLIENT_SECRET), client.ClientSecretBasic(OIDC_CLIENT_SECRET)];
  const authenticate: client.ClientAuth = (server, ...rest) =>
    // Basic is the default of the specification where the issuer names no methods.
    (server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ? post : basic)(server, ...rest);
  return client.discovery(issuer, OIDC_CLIENT_ID ?? '', undefined, authenticate, {
    timeout: TIMEOUT_S,
    execute: issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [],
  });
}

/** Signs users in at an OpenID Connect provider: authorization code flow with PKCE, state and nonce. */
@Injectable()
export class OpenIdConnect {
  private readonly log = new Log('Inbox');
  private readonly name: string | undefined;
  private discovered: { readonly configuration: Promise<client.Configuration>; until: number } | undefined;

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
    const transaction: Transaction = { state, nonce, verifier, to, until: Date.now() + TRANSACTION_MS };
    setCookie(request, response, COOKIE, sign(transaction, await this.key()), TRANSACTION_MS);
    return client.buildAuthorizationUrl(configuration, {
      redirect_uri: `${ownOrigin(request)}${CALLBACK}`,
      scope: 'openid profile email',
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
  }

  /** Ends a sign-in that came back from the provider. @throws HttpError 403, 404 or 503 */
  async finish(request: Request, response: Response): Promise<{ readonly user: InboxUser; readonly to: string }> {
    const configuration = await this.configuration();
    const cookie = readCookie(request, COOKIE);
    // A transaction is for one use.
    clearCookie(request, response, COOKIE);
    const { state, nonce, verifier, to, until = 0 } = contentOf<Transaction>(cookie);
    if (!isSigned(cookie, await this.key()) || Date.now() > until || !state || !nonce || !verifier || !to)
      throw new HttpError('forbidden', 'This sign-in took too long, or began in another browser. Please start again.');
    const url = new URL(`${ownOrigin(request)}${request.originalUrl}`);
    const address = await this.addressFrom(configuration, url, { state, nonce, verifier });
    const user = this.settings.INBOX_USERS?.find(
      ({ name, hash }) => hash === OIDC && name.toLowerCase() === address?.toLowerCase(),
    );
    if (user) return { user, to };
    const who = address ? `${address} may not open this inbox.` : `${this.name} confirms no address of this account.`;
    throw new HttpError('forbidden', `${who} Ask the people who run the website.`);
  }

  /** Whether the provider can be used now. */
  isAvailable(): Promise<boolean> {
    return this.configuration().then(
      () => true,
      () => false,
    );
  }

  /** Exchanges the code for an ID token, and returns the verified address. */
  private async addressFrom(
    configuration: client.Configuration,
    url: URL,
    { state, nonce, verifier }: Pick<Transaction, 'state' | 'nonce' | 'verifier'>,
  ): Promise<string | undefined> {
    try {
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const tokens = await client.authorizationCodeGrant(configuration, url, checks);
      const claims = tokens.claims();
      if (!claims) return undefined;
      // A provider may keep the address out of the ID token.
      const hasProfile = claims['email'] === undefined && configuration.serverMetadata().userinfo_endpoint;
      const profile = hasProfile ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
      return addressOf({ ...profile, ...claims });
    } catch (error) {
      const { name, code } = error as NodeJS.ErrnoException;
      this.log.warn({ event: 'OpenID Connect failed', error: name, code });
      throw new HttpError('forbidden', `${this.name} did not sign you in. Please try again.`);
    }
  }

  /** @throws HttpError 404 if there is no provider, 503 if it cannot be reached */
  private async configuration(): Promise<client.Configuration> {
    if (!this.name) throw new HttpError('not-found', 'There is nothing at this address.');
    if (!this.discovered || this.discovered.until < Date.now())
      this.discovered = { configuration: discover(this.settings), until: Date.now() + DISCOVERED_MS };
    const { discovered } = this;
    try {
      return await discovered.configuration;
    } catch (error) {
      discovered.until = Math.min(discovered.until, Date.now() + RETRY_MS);
      throw new HttpError('unavailable', unavailableText(this.name), { retryAfterSeconds: 30, cause: error });
    }
  }

  private key = () => secretOf(this.database, 'inbox sign-in key');
}

/** The sentence for users while the provider cannot be reached. */
export const unavailableText = (name: string) =>
  `${name} cannot be reached at the moment, so you cannot sign in with it. Please try again in a minute.`;

/** Microsoft's issuer of one tenant. */
const MICROSOFT = /^https:\/\/login\.(?:partner\.)?microsoftonline\.(?:com|us|cn)\//;
const GOOGLE = 'https://accounts.google.com';

/**
 * Returns the address that the issuer has verified.
 *
 * - Google also verifies addresses of other domains, once; only those of Gmail and of a Workspace (`hd`) are its own.
 * - Microsoft has no `email_verified`, and anybody can set `email` in a tenant of their own (nOAuth). The user name in the
 *   one tenant is in a domain that the tenant owns. Guests, whose `idp` is another, bring names of other tenants.
 */
export function addressOf(claims: Readonly<Record<string, unknown>>): string | undefined {
  const { iss, email, email_verified: isVerified, hd, idp = iss, preferred_username: userName } = claims;
  if (typeof iss === 'string' && MICROSOFT.test(iss))
    return idp === iss && typeof userName === 'string' ? userName : undefined;
  if (isVerified !== true || typeof email !== 'string') return undefined;
  const domain = email.split('@')[1]?.toLowerCase();
  return iss !== GOOGLE || domain === 'gmail.com' || domain === hd ? email : undefined;
}
