import { Agent, request } from 'node:http';

/**
 * Starts an action at a fixed rate, whether or not earlier ones are done, and returns what they gave: a server that stalls
 * cannot slow its own load down.
 */
export async function atPace<Result>(
  perSecond: number,
  seconds: number,
  act: () => Promise<Result>,
): Promise<Result[]> {
  const pending: Promise<Result>[] = [];
  const startedAt = performance.now();
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const due = startedAt + (index * 1000) / perSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    pending.push(act());
  }
  return Promise.all(pending);
}

/** Milliseconds that each of the POSTs took which were sent at a fixed rate, sorted. */
export async function pacedLatencies(url: string, body: string, perSecond: number, seconds: number): Promise<number[]> {
  const poster = new Poster(url);
  const latencies = await atPace(perSecond, seconds, async () => {
    const startedAt = performance.now();
    await poster.post(body);
    return performance.now() - startedAt;
  });
  poster.close();
  return latencies.toSorted((a, b) => a - b);
}

/** The value below which this share of the sorted ones lies. */
export function percentile(sorted: readonly number[], share: number): number {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new RangeError('A percentile needs a value');
  return value;
}

/** Posts to one address over connections that are used again. */
export class Poster {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });
  readonly #url: string;
  readonly #contentType: string;

  constructor(url: string, contentType = 'application/json') {
    this.#url = url;
    this.#contentType = contentType;
  }

  /** Resolves with the answer's text once it is a 202; rejects on any other. */
  post(body: string | Buffer): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': this.#contentType, 'content-length': Buffer.byteLength(body) };
      const sent = request(this.#url, { method: 'POST', agent: this.#agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.once('end', () => {
          if (response.statusCode === 202) resolve(text);
          else reject(new Error(`${this.#url} answers ${response.statusCode}`));
        });
      });
      sent.once('error', reject);
      sent.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
