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

/** A text that stands for what is private: in every field, file name, address and header that is sent, and in no log. */
export const MARKER = 'zqPrivateMarkerQz';

/** What no answer may hold: metrics, files of the machine, what the request tried to put in. */
const LEAKS = /^# HELP|root:x:|"workspaces"|"ready"|\[core\]|^X-Injected/m;

/** Forms that are right in every way. */
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

/** A body for the enquiry, or for another address, on a connection that the server should end. */
export const postOf = (headers: readonly string[], body: string, path = '/api/contact'): string =>
  requestOf(`POST ${path} HTTP/1.1`, ['Host: a', 'Connection: close', ...headers], body);

/** Addresses to send from in turns: what is tried here is not the limit of one client. */
const ADDRESSES = 200;
let sent = 0;
export const nextAddress = (): string => `127.0.3.${1 + (sent++ % ADDRESSES)}`;

/** Bytes on a connection of their own, and what may be answered. */
export function rawCase(name: string, request: string, { statuses, most = 1, mayHangUp = true }: Allowed): HostileCase {
  return {
    name,
    async run({ port }) {
      const { statuses: got, text, isOpen } = await sendRaw(port, request, { from: nextAddress() });
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

/** Undefined when an ordinary client's enquiry is accepted. */
export async function refusalOfGoodEnquiry({ siteUrl }: Target): Promise<string | undefined> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const answer = await fetch(`${siteUrl}/api/contact`, { method: 'POST', body: JSON.stringify(GOOD_CONTACT), headers });
  await answer.arrayBuffer();
  return answer.status === 202 ? undefined : `status ${answer.status}`;
}
