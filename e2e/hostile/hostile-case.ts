import { setTimeout as pause } from 'node:timers/promises';
import { sendRaw } from './wire.ts';

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

/** What may come back on a connection; without statuses anything below 500 may. */
interface Allowed {
  readonly statuses?: readonly number[];
  /** How many answers. */
  readonly most?: number;
  /** A server that stops reading a body far too large may end the connection without a word. */
  readonly mayHangUp?: boolean;
}

/** In which nginx lets a client send some hundred requests more (nginx/snippets/limits.conf), in milliseconds. */
const REFILL_MS = 1_000;

/** A text that stands for what is private: in every field, file name, address and header that is sent, and in no log. */
export const MARKER = 'zqPrivateMarkerQz';

/** What no answer may hold: metrics, files of the machine, what the request tried to put in. */
const LEAKS = /^# HELP|root:x:|"workspaces"|"ready"|\[core\]|^X-Injected/m;

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

/** A request with these lines in its head, in this order, whatever they say. */
export const requestOf = (line: string, headers: readonly string[], body = ''): string =>
  [line, ...headers, '', body].join('\r\n');

/** An enquiry as JSON, on a connection that the server should end. */
export const postOf = (headers: readonly string[], body: string): string =>
  requestOf('POST /api/contact HTTP/1.1', ['Host: a', 'Connection: close', ...headers], body);

/** Addresses to send from in turns: what is tried here is not the limit of one client. */
const ADDRESSES = 200;
let sent = 0;

/** Bytes on a connection of their own, and what may be answered. */
export function rawCase(name: string, request: string, { statuses, most = 1, mayHangUp = true }: Allowed): HostileCase {
  return {
    name,
    async run({ port }) {
      const {
        statuses: got,
        text,
        isOpen,
      } = await sendRaw(port, request, { from: `127.0.3.${1 + (sent++ % ADDRESSES)}` });
      const final = got.filter((status) => status !== 100);
      if (isOpen) return 'the connection stays open';
      if (LEAKS.test(text)) return 'something private came out, or something was put in';
      if (text.includes(MARKER)) return 'the answer quotes what was sent';
      const isAllowed = (status: number) => (statuses ? statuses.includes(status) : status < 500);
      const isSilent = final.length === 0 && !mayHangUp;
      return isSilent || final.length > most || !final.every(isAllowed)
        ? `status ${final.join() || 'none'}`
        : undefined;
    },
  };
}

/** A form with a text in the place of a field, or any other body, by an ordinary client. */
export function jsonCase(
  name: string,
  body: string | ((target: Target) => readonly string[]),
  statuses: readonly number[],
  headers: Readonly<Record<string, string>> = {},
): HostileCase {
  return {
    name,
    async run(target) {
      for (const [index, one] of (typeof body === 'string' ? [body] : body(target)).entries()) {
        const wrong = await expectAnswer(await postJson(target, one, headers), statuses);
        if (wrong !== undefined) return `number ${index}: ${wrong}`;
      }
      return undefined;
    },
  };
}

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

export function postJson(
  { siteUrl }: Target,
  body: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...more };
  return withPatience(() => fetch(`${siteUrl}/api/contact`, { method: 'POST', body, headers }));
}

export function postForm({ siteUrl }: Target, body: FormData): Promise<Response> {
  const headers = { accept: 'application/json' };
  return withPatience(() => fetch(`${siteUrl}/api/resume`, { method: 'POST', body, headers }));
}

/** A fast machine attacks faster than one client may send, and what is tried here is not that limit. */
async function withPatience(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 429) return answer;
    await answer.body?.cancel();
    await pause(REFILL_MS);
  }
}
