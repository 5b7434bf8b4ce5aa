import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider, type ClientAuthMethod } from 'oidc-provider';

export const CLIENT = { OIDC_CLIENT_ID: 'inbox', OIDC_CLIENT_SECRET: 'a secret of the tests' } as const;

/** Returns the claims of an account. The address is verified unless it begins with `unverified`. */
const defaultClaims = (address: string, use: Use) =>
  use === 'userinfo' ? { email: address, email_verified: !address.startsWith('unverified') } : {};

const hiddenFields = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  ) as Record<string, string>;

/** Document in which a provider says who has signed in. */
type Use = 'id_token' | 'userinfo';

interface ProviderOptions {
  readonly port?: number;
  /** Claims of an account by document; by default all are at userinfo. */
  readonly claims?: (account: string, use: Use) => Readonly<Record<string, unknown>>;
  /** The only method of client authentication that it accepts; by default it accepts several. */
  readonly clientAuthMethod?: ClientAuthMethod;
  /** Whether the metadata lists the methods of client authentication; true by default. */
  readonly namesAuthMethods?: boolean;
}

/** A real OpenID Connect provider. It accepts every account with any password. */
export class OpenIdProvider {
  readonly issuer: string;
  /** Change the JSON answer of an endpoint, by its path. */
  readonly edits = new Map<string, (answer: Readonly<Record<string, unknown>>) => object>();
  /** Path whose requests get no answer. */
  silentPath: string | undefined;
  private readonly server: Server;

  private constructor(server: Server, issuer: string) {
    this.server = server;
    this.issuer = issuer;
  }

  /** @param callbacks redirect URIs */
  static async start(
    callbacks: readonly string[],
    { port = 0, claims = defaultClaims, clientAuthMethod, namesAuthMethods = true }: ProviderOptions = {},
  ): Promise<OpenIdProvider> {
    const server = createServer();
    await once(server.listen(port, '127.0.0.1'), 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { OIDC_CLIENT_ID: client_id, OIDC_CLIENT_SECRET: client_secret } = CLIENT;
    const method = clientAuthMethod && { token_endpoint_auth_method: clientAuthMethod };
    const provider = new Provider(issuer, {
      clients: [{ client_id, client_secret, redirect_uris: [...callbacks], ...method }],
      ...(clientAuthMethod && { clientAuthMethods: [clientAuthMethod] }),
      ...(!namesAuthMethods && { discovery: { token_endpoint_auth_methods_supported: undefined } }),
      conformIdTokenClaims: false,
      claims: { email: ['email', 'email_verified'], profile: ['preferred_username'] },
      cookies: { keys: ['tests'] },
      ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
      findAccount: (_, accountId) => ({
        accountId,
        claims: (use) => ({ sub: accountId, ...claims(accountId, use as Use) }),
      }),
      // Skips the consent page.
      async loadExistingGrant({ oidc }) {
        const grant = new provider.Grant({ clientId: client_id, accountId: oidc.session?.accountId ?? '' });
        grant.addOIDCScope('openid profile email');
        await grant.save();
        return grant;
      },
    });
    const handle = provider.callback();
    const started = new OpenIdProvider(server, issuer);
    server.on('request', (request, response) => {
      const url = new URL(request.url ?? '', issuer);
      if (url.pathname === started.silentPath) return;
      // The library also accepts the other method.
      const isBasic = request.headers.authorization?.startsWith('Basic ') === true;
      if (url.pathname === '/token' && clientAuthMethod && isBasic !== (clientAuthMethod === 'client_secret_basic'))
        return void response
          .writeHead(401, { 'Content-Type': 'application/json' })
          .end(JSON.stringify({ error: 'invalid_client' }));
      const edit = started.edits.get(url.pathname);
      if (edit) {
        const end = response.end.bind(response) as (text: string) => typeof response;
        response.end = (body: unknown) => {
          response.removeHeader('Content-Length');
          return end(JSON.stringify(edit(JSON.parse(String(body)) as Record<string, unknown>)));
        };
      }
      handle(request, response);
    });
    return started;
  }

  /**
   * Signs an account in like a browser, which asks for no account if the provider's session goes on.
   *
   * @param cookies of the browser; by default it is a new one
   * @returns the redirect URL
   */
  async signIn(authorizationUrl: string, account: string, cookies = new Map<string, string>()): Promise<URL> {
    const visit = async (path: string, body?: Record<string, string>): Promise<URL> => {
      const url = new URL(path, this.issuer);
      const answer = await fetch(url, {
        method: body ? 'POST' : 'GET',
        headers: { Cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
        redirect: 'manual',
        ...(body && { body: new URLSearchParams(body) }),
      });
      for (const cookie of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        cookies.set(name, value);
      }
      // To replace its session, the provider sends a form that submits itself.
      const [, action] = (answer.ok && / action="([^"]*)"/.exec(await answer.clone().text())) || [];
      if (action) return visit(action, hiddenFields(await answer.text()));
      return new URL(answer.headers.get('location') ?? `/status/${answer.status}`, url);
    };
    const form = await visit(authorizationUrl);
    // An error redirects at once.
    if (form.origin !== this.issuer) return form;
    let next = await visit(form.pathname, { prompt: 'login', login: account, password: 'any' });
    while (next.pathname.startsWith('/auth/')) next = await visit(next.href);
    return next;
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
  }
}
