import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export const CLIENT = { OIDC_CLIENT_ID: 'inbox', OIDC_CLIENT_SECRET: 'a secret of the tests' } as const;

/** Returns the claims of an account. The address is verified unless it begins with `unverified`. */
const claimsOf = (address: string) => ({
  email: address,
  email_verified: !address.startsWith('unverified'),
});

/** A real OpenID Connect provider. It accepts every account with any password. */
export class OpenIdProvider {
  readonly issuer: string;
  private readonly server: Server;

  private constructor(server: Server, issuer: string) {
    this.server = server;
    this.issuer = issuer;
  }

  /** @param callbacks redirect URIs */
  static async start(callbacks: readonly string[], port = 0): Promise<OpenIdProvider> {
    const server = createServer();
    await once(server.listen(port, '127.0.0.1'), 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { OIDC_CLIENT_ID: client_id, OIDC_CLIENT_SECRET: client_secret } = CLIENT;
    const provider = new Provider(issuer, {
      clients: [{ client_id, client_secret, redirect_uris: [...callbacks] }],
      claims: { email: ['email', 'email_verified'], profile: ['preferred_username'] },
      cookies: { keys: ['tests'] },
      ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
      findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...claimsOf(accountId) }) }),
      // Skips the consent page.
      async loadExistingGrant({ oidc }) {
        const grant = new provider.Grant({ clientId: client_id, accountId: oidc.session?.accountId ?? '' });
        grant.addOIDCScope('openid profile email');
        await grant.save();
        return grant;
      },
    });
    const handle = provider.callback();
    server.on('request', (request, response) => void handle(request, response));
    return new OpenIdProvider(server, issuer);
  }

  /** Signs an account in like a browser. @returns the redirect URL */
  async signIn(authorizationUrl: string, account: string): Promise<URL> {
    const cookies = new Map<string, string>();
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
      return new URL(answer.headers.get('location') ?? `/status/${answer.status}`, url);
    };
    const form = await visit(authorizationUrl);
    // An error redirects at once.
    if (form.origin !== this.issuer) return form;
    const next = await visit(form.pathname, { prompt: 'login', login: account, password: 'any' });
    return visit(next.href);
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
  }
}
