import { once } from 'node:events';
import { Agent as PlainAgent, request as requestPlain, type IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from 'simple-statistics';
import { HONEYPOT } from '../form-service/src/contract/protocol.ts';
import { SERVICE } from '../form-service/test/services.ts';
import { atPace } from './load.ts';

/** Load on a running installation. */
export interface Load {
  readonly url: URL;
  readonly perSecond: number;
  readonly requests: number;
  /** Ends the load early, as Ctrl-C does. */
  readonly signal?: AbortSignal;
}

/** Runs one of the operator's commands on the installation. */
export type Operate = (
  args: readonly string[],
) => Promise<{ readonly code: number | undefined; readonly stdout: string }>;

/** Figures of a load. */
export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Number of responses by status; by error code for requests without a response. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Requests that were not sent, because too many had no response yet. */
  readonly unsent: number;
}

/** The load must not go on. The message tells the operator what is wrong and what to do. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
}

/** Maximum number of requests without a response: the limit of nginx for one client. */
const OPEN_MAX = 100;
const ANSWER_MS = 10_000;
/** After this time a request without a response stores nothing any more: a database cancels its INSERT after 10 s. */
const SETTLED_MS = 20_000;

/** Requests the same page at a constant rate. */
export function loadPage(load: Load): Promise<LoadResult> {
  return measure(load, () => ({ method: 'GET' }));
}

/**
 * Posts enquiries at a constant rate, and erases them. Each has a filled honeypot, so it is stored and quarantined: no
 * mail, acknowledgement or webhook post follows. All have an e-mail address of their own under `.invalid`, by which they
 * are found and erased, even after a failure.
 *
 * @param operate must reach the installation at the address, which the first enquiry proves
 * @throws LoadError if the installation must not be posted to, or enquiries remain
 */
export async function loadForm(
  load: Load,
  email: string,
  operate: Operate,
  settledMs = SETTLED_MS,
): Promise<LoadResult> {
  const references: string[] = [];
  let isUnsettled = false;
  const enquiry = (index: number) => ({ method: 'POST', json: enquiryOf(email, index) });
  const note = ({ status, body }: Answer) => {
    const [, reference] = (status === 202 && /"reference":"([^"]+)"/.exec(body)) || [];
    if (reference !== undefined) references.push(reference);
    if (typeof status !== 'number' || status >= 500) isUnsettled = true;
  };
  // Any command that opens the storage: what could not be erased is not sent.
  if ((await operate(['retention'])).code !== 0)
    throw new LoadError('The command of --submissions fails (see above), so nothing was sent.');
  try {
    const { url } = load;
    await measure({ url, perSecond: 1, requests: 1 }, enquiry, note);
    await checkFirst(references, operate);
    return await measure(load, (index) => enquiry(index + 1), note);
  } finally {
    if (isUnsettled) await pause(settledMs);
    if (references.length > 0 || isUnsettled) await eraseAll(email, references, operate);
  }
}

/** Checks that the first enquiry is in the store that `operate` reaches, and quarantined. @throws LoadError */
async function checkFirst([reference]: readonly string[], operate: Operate): Promise<void> {
  if (reference === undefined) throw new LoadError('The first enquiry was not accepted. Send one by hand first.');
  const { code, stdout } = await operate(['show', reference, '--json']);
  if (code !== 0)
    throw new LoadError(`The command of --submissions does not find ${reference}. Use one that reaches this site.`);
  const { state } = JSON.parse(stdout) as { state: string };
  if (state !== 'quarantined')
    throw new LoadError(`${reference} is ${state}, so it may be mailed. Nothing more is sent.`);
}

/** @throws LoadError if not all are erased */
async function eraseAll(email: string, references: readonly string[], operate: Operate): Promise<void> {
  const { code, stdout } = await operate(['erase', '--email', email, '--yes']);
  const left = references.filter((reference) => !stdout.includes(reference));
  // Without an accepted enquiry there may be nothing to erase.
  if (left.length > 0 || (code !== 0 && references.length > 0))
    throw new LoadError(
      `Enquiries may remain: ${left.length}. Check the command of --submissions, then run: submissions erase --email ${email} --yes`,
    );
}

const enquiryOf = (email: string, index: number): string =>
  JSON.stringify({
    name: 'Load test',
    email,
    phone: '',
    service: SERVICE,
    message: `Enquiry ${index} of a load test, which erases it at its end. `.repeat(5),
    [HONEYPOT]: 'load test',
  });

interface Question {
  readonly method: string;
  readonly json?: string;
}

interface Answer {
  /** Error code if there was no response. */
  readonly status: number | string;
  readonly body: string;
  readonly ms: number;
}

/** Sends requests at a constant rate. @throws LoadError if the installation limits the rate */
async function measure(
  { url, perSecond, requests, signal }: Load,
  questionOf: (index: number) => Question,
  note: (answer: Answer) => void = () => undefined,
): Promise<LoadResult> {
  const limited = new AbortController();
  const agent = new (url.protocol === 'https:' ? Agent : PlainAgent)({ keepAlive: true });
  const open = new Set<Promise<void>>();
  const answers: Answer[] = [];
  const take = (answer: Answer) => {
    answers.push(answer);
    note(answer);
    if (answer.status === 429) limited.abort();
  };
  let unsent = 0;
  const startedAt = performance.now();
  const end = AbortSignal.any([limited.signal, ...(signal ? [signal] : [])]);
  try {
    await atPace({ perSecond, requests, signal: end }, (index) => {
      if (open.size >= OPEN_MAX) return void (unsent += 1);
      const answered = ask(url, agent, questionOf(index)).then(take);
      open.add(answered);
      void answered.finally(() => open.delete(answered));
    });
    await Promise.all(open);
  } finally {
    agent.destroy();
  }
  if (limited.signal.aborted)
    throw new LoadError(
      `The site limits the rate (429). For ${perSecond} a second set RATE_LIMIT_PER_MINUTE=${perSecond * 60 + 60} for this load, and restart the api.`,
    );
  const waits = answers.map(({ ms }) => ms);
  const percentile = (share: number) => (waits.length > 0 ? quantile(waits, share) : Number.NaN);
  const statuses: Record<string, number> = {};
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  return {
    requests: answers.length,
    perSecond: answers.length / ((performance.now() - startedAt) / 1_000),
    p50: percentile(0.5),
    p99: percentile(0.99),
    statuses,
    unsent,
  };
}

/** Sends one request, and follows no redirect: it could lead to another host. */
async function ask(url: URL, agent: Agent | PlainAgent, { method, json }: Question): Promise<Answer> {
  const sentAt = performance.now();
  const headers = {
    'user-agent': 'kitewright bench load',
    ...(json
      ? { accept: 'application/json', 'content-type': 'application/json' }
      : { accept: 'text/html', 'accept-encoding': 'br' }),
  };
  const options = { method, agent, headers, signal: AbortSignal.timeout(ANSWER_MS) };
  try {
    const question = (url.protocol === 'https:' ? request : requestPlain)(url, options).end(json);
    const [answer] = (await once(question, 'response')) as [IncomingMessage];
    const body = await text(answer);
    return { status: answer.statusCode ?? 0, body, ms: performance.now() - sentAt };
  } catch (error) {
    const { name, code = name } = error as NodeJS.ErrnoException;
    return { status: code, body: '', ms: performance.now() - sentAt };
  }
}
