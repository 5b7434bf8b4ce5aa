import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from 'simple-statistics';
import { SERVICE } from '../form-service/test/services.ts';

const SECONDS = 5;
const ROUNDS = 3;
const AT_ONCE = 32;

/** Enquiry of a typical length. */
const body = JSON.stringify({
  name: 'Ana Example',
  email: 'ana@example.org',
  phone: '',
  service: SERVICE,
  message: 'We need a new shop, by spring, and someone who keeps it running. '.repeat(4),
});

const headers = {
  'content-type': 'application/json',
  'content-length': Buffer.byteLength(body),
  accept: 'application/json',
};

// node:http with keep-alive: the client shares the CPU with the service, and `fetch` would take several times as much.
const agent = new Agent({ keepAlive: true });

/** Posts one enquiry and returns the response body. Throws unless it is accepted. */
async function postOne(origin: string): Promise<string> {
  const question = request(`${origin}/api/contact`, { method: 'POST', agent, headers }).end(body);
  const [answer] = (await once(question, 'response')) as [IncomingMessage];
  const words = await text(answer);
  if (answer.statusCode !== 202) throw new Error(`${origin} answers ${answer.statusCode}: ${words}`);
  return words;
}

/** Posts `amount` enquiries, or as many as possible in `SECONDS`. Returns the total and the rate per second. */
export async function postEnquiries(origin: string, amount?: number): Promise<{ total: number; perSecond: number }> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  let total = 0;
  const visitor = async () => {
    while (amount === undefined ? seconds() < SECONDS : total < amount) {
      total += 1;
      await postOne(origin);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, visitor));
  return { total, perSecond: total / seconds() };
}

/** Median requests per second of each origin. Rounds alternate, so that other load affects all of them equally. */
export async function throughputs(origins: readonly string[]): Promise<number[]> {
  const rounds: number[][] = origins.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, origin] of origins.entries()) rounds[index]?.push((await postEnquiries(origin)).perSecond);
  }
  return rounds.map(median);
}

/**
 * Posts enquiries at a constant rate, independently of the responses, so that a stalled service does not reduce its load.
 * Returns the milliseconds of each request after the warm-up.
 *
 * @param onAnswer receives each counted response body
 */
export async function postAtPace(
  origin: string,
  { perSecond, seconds, warmUpSeconds = 3 }: { perSecond: number; seconds: number; warmUpSeconds?: number },
  onAnswer: (body: string) => void = () => undefined,
): Promise<number[]> {
  const counted: Promise<number>[] = [];
  await atPace({ perSecond, requests: perSecond * (warmUpSeconds + seconds) }, (index) => {
    const sentAt = performance.now();
    const answered = postOne(origin);
    if (index < perSecond * warmUpSeconds) return;
    counted.push(answered.then(onAnswer).then(() => performance.now() - sentAt));
  });
  return Promise.all(counted);
}

/** Calls `send` at a constant rate, independently of its results, until the number is reached or the signal aborts. */
export async function atPace(
  { perSecond, requests, signal }: { perSecond: number; requests: number; signal?: AbortSignal },
  send: (index: number) => void,
): Promise<void> {
  const startedAt = performance.now();
  for (let index = 0; index < requests; index += 1) {
    const wait = Math.max(0, startedAt + (index * 1_000) / perSecond - performance.now());
    await pause(wait, undefined, { ...(signal && { signal }) }).catch(() => undefined);
    if (signal?.aborted) return;
    send(index);
  }
}
