import { isNativeError } from 'node:util/types';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Request, Response } from 'express';
import * as client from 'openid-client';
import { DAY_MS, HOUR_MS } from '../config/durations.ts';
import { OIDC, type InboxUser } from '../config/inbox-users.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { clearCookie, readCookie, setCookie } from '../http/cookies.ts';
import { HttpError, notFound } from '../http/http-error.ts';
import { Log } from '../observability/log.ts';
import { OidcTransactions, type Transaction } from './oidc-transactions.service.ts';
import { ownOrigin } from './same-origin.ts';
import { SignInRefusedError } from './sign-in-refused.error.ts';
import { lacksAddress, verifiedAddress, type Verified } from './verified-address.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('signIn');

const TIMEOUT_MS = 5_000;

/** Maximum size of an answer. Metadata, keys and tokens have some kilobytes. */
const ANSWER_MAX_BYTES = 1024 * 1024;

/** Requests a document of the provider, and ends the connection at a larger one. */
const fetchBounded: client.CustomFetch = async (url, options) => {
  const answer = await fetch(url, options as RequestInit);
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > ANSWER_MAX_BYTES) throw new Error('the answer of the provider is too large');
      controller.enqueue(chunk);
    },
  });
  return new Response(answer.body?.pipeThrough(limit), answer);
};

/** A discovery is valid for an hour; one that failed is repeated after 30 seconds at the earliest. */
const DISCOVERED_MS = HOUR_MS;
const RETRY_MS = 30_000;

const CALLBACK = '/inbox/sign-in/callback';

/**
 * Values of `prompt` that make the provider ask who signs in, the mildest first. After a refusal or a sign-out its own
 * session would otherwise sign the same account in again, without a question.
 */
const PROMPTS: readonly string[] = ['select_account', 'login'];

/**
 * Cookie with the prompt of the next sign-in. Each sign-in uses up one: a provider that does not know a prompt answers
 * with an error, or with a page of its own that does not lead back.
 */
const PROMPT = 'inbox-prompt';
/** As long as the sessions of large providers. */
const PROMPT_MS = 365 * DAY_MS;

/** Returns a prompt and those after it. */
const promptsFrom = (first: string) => (PROMPTS.includes(first) ? PROMPTS.slice(PROMPTS.indexOf(first)) : []);

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
    [client.customFetch]: fetchBounded,
    // Checks the ID token's signature, which the library leaves to TLS by default.
    execute: [
      client.enableNonRepudiationChecks,
      ...(issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []),
    ],
  });
}

/** Describes why a discovery failed. @returns the issuer that the provider announces, if it is another one */
export function discoveryFault(error: unknown): { readonly code: string; readonly announced?: string } {
  let last = error as NodeJS.ErrnoException;
  while (isNativeError(last.cause)) last = last.cause;
  const code = last.code ?? last.message;
  // The cause of this error is the provider's answer.
  const announced = (last.cause as { body?: { issuer?: unknown } } | undefined)?.body?.issuer;
  return { code, ...(typeof announced === 'string' && { announced }) };
}

/** Signs users in at an OpenID Connect provider: authorization code flow with PKCE, state and nonce. */
@Injectable()
export class OpenIdConnect implements OnApplicationBootstrap {
  timeoutMs = TIMEOUT_MS;
  private readonly log = new Log('Inbox');
  private readonly name: string | undefined;
  /** Result of the latest discovery: undefined if it has failed, or before the first one. */
  private discovered: client.Configuration | undefined;
  private discovering: Promise<void> | undefined;
  /** Time of the next discovery; 0 until the first one has ended. */
  private dueAt = 0;

  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'INBOX_USERS' | keyof OidcSettings>,
    private readonly transactions: OidcTransactions,
  ) {
    this.name = providerName(settings);
  }

  onApplicationBootstrap(): void {
    this.refresh();
  }

  /** Begins a sign-in. @returns the provider's URL. @throws HttpError 404 or 503 */
  begin(to: string, request: Request, response: Response): Promise<URL> {
    return this.beginWith(readCookie(request, PROMPT), to, request, response);
  }

  /**
   * Ends a sign-in that came back from the provider.
   *
   * @returns the user, or the provider's URL for another try if it does not know the prompt
   * @throws SignInRefusedError
   * @throws HttpError 404 or 503
   */
  async finish(
    request: Request,
    response: Response,
  ): Promise<{ readonly user: InboxUser; readonly to: string } | { readonly again: URL }> {
    const url = new URL(`${ownOrigin(request)}${request.originalUrl}`);
    const transaction = await this.transactions.find(url.searchParams.get('state') ?? '', request);
    if (!transaction) throw new SignInRefusedError('state', words.expired);
    const configuration = await this.configuration();
    this.transactions.end(transaction, request, response);
    try {
      const verified = await this.addressFrom(configuration, url, transaction);
      const user = this.userOf(verified);
      clearCookie(request, response, PROMPT);
      return { user, to: transaction.to };
    } catch (error) {
      const { prompt, to } = transaction;
      const answer = error instanceof client.AuthorizationResponseError ? error.error : undefined;
      // The user may also cancel. Each prompt is tried once, so the provider cannot keep the browser in a loop.
      if (answer !== undefined && answer !== 'access_denied' && prompt !== undefined)
        return { again: await this.beginWith(promptsFrom(prompt)[1] ?? '', to, request, response) };
      const refused =
        error instanceof SignInRefusedError ? error : this.refusalOf(error as NodeJS.ErrnoException, answer);
      if (refused.refusal.isWrongAccount) this.askForAccount(request, response);
      throw new SignInRefusedError(refused.why, refused.message, { ...refused.refusal, to });
    }
  }

  /** Makes the next sign-in ask for the account. */
  askForAccount(request: Request, response: Response): void {
    if (this.name) setCookie(request, response, PROMPT, PROMPTS[0] ?? '', PROMPT_MS);
  }

  /** Whether the provider could be used at the latest discovery. Pages do not wait for the next one. */
  isAvailable(): boolean {
    this.refresh();
    return this.discovered !== undefined || this.dueAt === 0;
  }

  /** Begins a sign-in with this prompt, or the next one that the provider announces. */
  private async beginWith(wanted: string, to: string, request: Request, response: Response): Promise<URL> {
    const configuration = await this.configuration();
    const known = configuration.serverMetadata()['prompt_values_supported'];
    const isKnown = (one: string) => !Array.isArray(known) || known.includes(one);
    const prompt = promptsFrom(wanted).find((one) => isKnown(one));
    const [, next] = promptsFrom(prompt ?? '');
    if (next) setCookie(request, response, PROMPT, next, PROMPT_MS);
    else clearCookie(request, response, PROMPT);
    const transaction = await this.transactions.begin(to, prompt, request, response);
    const { state, nonce, verifier } = transaction;
    return client.buildAuthorizationUrl(configuration, {
      redirect_uri: `${ownOrigin(request)}${CALLBACK}`,
      scope: 'openid profile email',
      state,
      nonce,
      ...(prompt && { prompt }),
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
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
    const sentence = address ? words.noUser({ address }) : words.noAddress({ provider: this.name ?? '' });
    const why = 'why' in verified ? verified.why : 'not a user';
    throw new SignInRefusedError(why, sentence, { isWrongAccount: true });
  }

  /** Describes an error of the provider's answer, or of its token. */
  private refusalOf({ name, code }: NodeJS.ErrnoException, answer: string | undefined): SignInRefusedError {
    const why = answer === 'access_denied' ? answer : 'token';
    return new SignInRefusedError(why, words.refused({ provider: this.name ?? '' }), {
      code: code ?? name,
      isWrongAccount: answer === 'access_denied',
    });
  }

  /** @throws HttpError 404 if there is no provider, 503 if it cannot be reached */
  private async configuration(): Promise<client.Configuration> {
    if (!this.name) throw notFound();
    this.refresh();
    if (!this.discovered) await this.discovering;
    if (this.discovered) return this.discovered;
    throw new HttpError('unavailable', words.unavailable({ provider: this.name }), { retryAfterSeconds: 30 });
  }

  /** Starts a discovery if one is due. The latest result is used until this one is known. */
  private refresh(): void {
    if (!this.name || this.discovering || performance.now() < this.dueAt) return;
    this.discovering = discover(this.settings, this.timeoutMs)
      .then(
        (configuration) => (this.discovered = configuration),
        (error: unknown) => {
          this.discovered = undefined;
          this.log.warn({ event: 'single sign-on unavailable', code: discoveryFault(error).code });
        },
      )
      .then(() => {
        this.dueAt = performance.now() + (this.discovered ? DISCOVERED_MS : RETRY_MS);
        this.discovering = undefined;
      });
  }
}
