import { request as httpRequest, type Agent } from 'node:http';
import type { InboxUser } from '../src/settings/inbox-users.ts';
import { hashPassword } from '../src/sign-in/password.ts';

export const PASSWORD = 'a password of some length: with a colon and ü';

export interface Call {
  /** User of the request, who is signed in if necessary. */
  readonly user?: string;
  readonly method?: string;
  readonly body?: Readonly<Record<string, string>> | URLSearchParams;
  /** Undefined values are omitted. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly agent?: Agent;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
}

/** scrypt cost of the tests' hashes: some milliseconds. */
const LOG2_COST = 10;

/** Returns `INBOX_USERS` with these users. All have {@link PASSWORD}. */
export async function inboxUsers(roles: Readonly<Record<string, string>>): Promise<InboxUser[]> {
  const hash = await hashPassword(PASSWORD, LOG2_COST);
  return Object.entries(roles).map(([name, role]) => ({ name, role, hash }));
}

/** Returns the cookies of a response as a `Cookie` header. */
export const cookiesOf = ({ headers }: Pick<Answer, 'headers'>): string =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');

/** Sends requests to a worker's inbox as nginx passes them on. */
export class InboxClient {
  private readonly sessions = new Map<string, Promise<string>>();

  constructor(readonly origin: string) {}

  /** Sends a request. A POST has the headers of a browser on a page of the inbox. */
  async call(path: string, { user, method = 'GET', body, headers = {}, agent }: Call = {}): Promise<Answer> {
    const session = user === undefined ? undefined : await this.sessionOf(user);
    const own = method === 'POST' ? { Origin: this.origin, 'Sec-Fetch-Site': 'same-origin' } : {};
    const form = body && { 'Content-Type': 'application/x-www-form-urlencoded' };
    const all = Object.entries({ Cookie: session, ...own, ...form, ...headers }).filter(
      ([, value]) => value !== undefined,
    );
    return new Promise((resolve, reject) => {
      const sent = httpRequest(
        `${this.origin}${path}`,
        { method, agent, headers: Object.fromEntries(all) as Record<string, string> },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () => {
            const bytes = Buffer.concat(chunks);
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes, text: bytes.toString() });
          });
        },
      );
      sent.on('error', reject);
      sent.end(body && new URLSearchParams(body).toString());
    });
  }

  /** Submits the sign-in form. */
  signIn(name: string, password = PASSWORD, options: Call & { readonly to?: string } = {}): Promise<Answer> {
    const body = { name, password, ...(options.to && { to: options.to }) };
    return this.call('/inbox/sign-in', { ...options, method: 'POST', body });
  }

  /** Returns the session cookie of a user. Signs in once per user. */
  sessionOf(user: string): Promise<string> {
    const session = this.sessions.get(user) ?? this.signIn(user).then(cookiesOf);
    this.sessions.set(user, session);
    return session;
  }
}

/** A browser without script at the inbox: keeps the cookies, and follows redirects within the inbox. */
export class InboxBrowser {
  readonly cookies = new Map<string, string>();

  /** @param headers of every request, such as those of nginx for a visitor over TLS */
  constructor(
    private readonly client: InboxClient,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /** Sends one request, and stores the cookies of the response. */
  async call(path: string, { headers, ...call }: Call = {}): Promise<Answer> {
    const Cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ') || undefined;
    const answer = await this.client.call(path, { ...call, headers: { Cookie, ...this.headers, ...headers } });
    for (const cookie of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (cookie.includes('Expires=Thu, 01 Jan 1970')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  /** Opens an address or submits a form. @returns the page that is then shown, or a redirect to another site */
  async open(path: string, call: Call = {}): Promise<Answer & { readonly path: string }> {
    const answer = await this.call(path, call);
    const location = answer.headers['location'];
    const isInside = typeof location === 'string' && location.startsWith('/');
    return isInside ? this.open(location, { headers: call.headers }) : { ...answer, path };
  }

  /** Signs in with the form of the page. @returns the page that is then shown */
  signIn(name: string, to = '/inbox'): Promise<Answer & { readonly path: string }> {
    return this.open('/inbox/sign-in', { method: 'POST', body: { name, password: PASSWORD, to } });
  }
}
