import { setTimeout as pause } from 'node:timers/promises';
import autocannon from 'autocannon';
import { median } from 'simple-statistics';

const SECONDS = 5;
const ROUNDS = 3;
const CONNECTIONS = 32;

/** An enquiry of the length that people write. */
const body = JSON.stringify({
  name: 'Ana Example',
  email: 'ana@example.org',
  phone: '',
  service: 'Web Development',
  message: 'We need a new shop, by spring, and someone who keeps it running. '.repeat(4),
});

const headers = { 'content-type': 'application/json', accept: 'application/json' };

/** Posts enquiries as fast as they are taken, unless `options` say otherwise. Throws when one is not. */
export async function postEnquiries(
  origin: string,
  options: Partial<autocannon.Options> = {},
): Promise<autocannon.Result> {
  const usual = { url: `${origin}/api/contact`, connections: CONNECTIONS, duration: SECONDS, method: 'POST' } as const;
  const result = await autocannon({ ...usual, headers, body, ...options });
  if (result.non2xx + result.errors > 0)
    throw new Error(`${origin}: ${result.non2xx} refused, ${result.errors} errors`);
  return result;
}

/** Requests a second of each origin, in turns, so that what else the machine does falls on all alike; the medians of their rounds. */
export async function throughputs(origins: readonly string[]): Promise<number[]> {
  const rounds: number[][] = origins.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, origin] of origins.entries())
      rounds[index]?.push((await postEnquiries(origin)).requests.average);
  }
  return rounds.map(median);
}

/**
 * Posts enquiries evenly, whether or not earlier ones are answered, so that a service that stalls cannot slow its own
 * load down. Returns the milliseconds that each took, without those of the first seconds, in which code is compiled.
 *
 * @param onAnswer gets the text of each answer that counts
 */
export async function postAtPace(
  origin: string,
  { perSecond, seconds, warmUpSeconds = 3 }: { perSecond: number; seconds: number; warmUpSeconds?: number },
  onAnswer: (body: string) => void = () => undefined,
): Promise<number[]> {
  const startedAt = performance.now();
  const counted: Promise<number>[] = [];
  for (let index = 0; index < perSecond * (warmUpSeconds + seconds); index += 1) {
    await pause(Math.max(0, startedAt + (index * 1_000) / perSecond - performance.now()));
    const isCounted = index >= perSecond * warmUpSeconds;
    const milliseconds = postOne(origin, isCounted ? onAnswer : () => undefined);
    if (isCounted) counted.push(milliseconds);
  }
  return Promise.all(counted);
}

async function postOne(origin: string, onAnswer: (body: string) => void): Promise<number> {
  const sentAt = performance.now();
  const response = await fetch(`${origin}/api/contact`, { method: 'POST', headers, body });
  if (response.status !== 202) throw new Error(`${origin} answers ${response.status}`);
  onAnswer(await response.text());
  return performance.now() - sentAt;
}
