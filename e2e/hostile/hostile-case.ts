import { setTimeout as pause } from 'node:timers/promises';

/** The product under attack. */
export interface Target {
  readonly port: number;
  readonly siteUrl: string;
}

/** One thing that a stranger may try. */
export interface HostileCase {
  readonly name: string;
  /** Resolves with what is wrong, or with undefined when the product did as it should. */
  run(target: Target): Promise<string | undefined>;
}

/** In which nginx lets a client send some hundred requests more (nginx/snippets/limits.conf), in milliseconds. */
const REFILL_MS = 1_000;

/** A text that stands for what is private: in every field, file name, address and header that is sent, and in no log. */
export const MARKER = 'zqPrivateMarkerQz';

/** Expects one of these statuses, and with an error a sentence that a person or a program can read. */
export async function expectAnswer(answer: Response, statuses: readonly number[]): Promise<string | undefined> {
  const text = await answer.text();
  if (!statuses.includes(answer.status)) return `status ${answer.status}`;
  if (answer.status < 400) return undefined;
  const type = answer.headers.get('content-type') ?? '';
  if (!type.startsWith('application/json')) return `an error as ${type}`;
  const { success, message } = JSON.parse(text) as { success?: unknown; message?: unknown };
  if (success !== false || typeof message !== 'string' || message.length === 0) return 'an error without a sentence';
  return text.includes(MARKER) ? 'an error that quotes what was sent' : undefined;
}

/** A form that is right in every way. */
export const GOOD_CONTACT = {
  name: `Name ${MARKER}`,
  email: `${MARKER}@visitor.example`,
  phone: '',
  service: 'Web Development',
  message: `A message that says ${MARKER}.`,
} as const;

export const GOOD_APPLICATION = {
  fullName: `Name ${MARKER}`,
  email: `${MARKER}@visitor.example`,
  coverLetter: MARKER,
} as const;

export function postJson(
  { siteUrl }: Target,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return patiently(() =>
    fetch(`${siteUrl}/api/contact`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    }),
  );
}

export function postForm({ siteUrl }: Target, form: FormData): Promise<Response> {
  return patiently(() =>
    fetch(`${siteUrl}/api/resume`, { method: 'POST', body: form, headers: { accept: 'application/json' } }),
  );
}

/** A fast machine attacks faster than one client may send, and what is tried here is not that limit. */
async function patiently(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 429) return answer;
    await answer.body?.cancel();
    await pause(REFILL_MS);
  }
}
