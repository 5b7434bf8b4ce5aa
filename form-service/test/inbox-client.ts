import { request as httpRequest, type Agent } from 'node:http';
import { hashPassword, type InboxUser, type Role } from '../src/config/inbox-users.ts';

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
export async function inboxUsers(roles: Readonly<Record<string, Role>>): Promise<InboxUser[]> {
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
