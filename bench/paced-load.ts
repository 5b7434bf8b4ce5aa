import { Agent, request } from 'node:http';

/**
 * Sends POSTs at a fixed rate, whether or not earlier ones are answered, and returns each answer's time in milliseconds,
 * sorted: a server that stalls cannot slow its own load down.
 */
export async function pacedLatencies(url: string, body: string, perSecond: number, seconds: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const pending: Promise<number>[] = [];
  const startedAt = performance.now();
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const due = startedAt + (index * 1000) / perSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    pending.push(postOnce(agent, url, body));
  }
  const latencies = await Promise.all(pending);
  agent.destroy();
  return latencies.toSorted((a, b) => a - b);
}

/** The value below which this share of the sorted ones lies. */
export function percentile(sorted: readonly number[], share: number): number {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new RangeError('A percentile needs a value');
  return value;
}

function postOnce(agent: Agent, url: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.once('end', () => {
        if (response.statusCode === 202) resolve(performance.now() - startedAt);
        else reject(new Error(`${url} answers ${response.statusCode}`));
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
