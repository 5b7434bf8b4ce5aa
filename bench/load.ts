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

/** Posts enquiries as fast as they are taken, unless `options` say otherwise. Throws when one is not. */
export async function postEnquiries(
  origin: string,
  options: Partial<autocannon.Options> = {},
): Promise<autocannon.Result> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
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
