import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const SECONDS = 5;
const ROUNDS = 3;

/** What one run of wrk measured. */
export interface Throughput {
  readonly requestsPerSecond: number;
  readonly p99Ms: number;
}

export interface Target {
  readonly url: string;
  readonly connections: number;
  /** Lua script that shapes the requests. */
  readonly script?: string;
  readonly headers?: readonly string[];
}

/**
 * Measures targets in turns, so that what else the machine does falls on all alike; the median of each target's rounds.
 * Throws when a target answers anything but 2xx.
 */
export async function measureInTurns(targets: readonly Target[]): Promise<Throughput[]> {
  const rounds: Throughput[][] = targets.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, target] of targets.entries()) rounds[index]?.push(await runWrk(target));
  }
  return rounds.map(median);
}

/** One run against one target. */
export async function runWrk({ url, connections, script, headers = [] }: Target): Promise<Throughput> {
  const shape = [...(script === undefined ? [] : ['-s', script]), ...headers.flatMap((header) => ['-H', header])];
  const { stdout } = await promisify(execFile)('wrk', [
    '-t',
    '1',
    '-c',
    String(connections),
    '-d',
    `${SECONDS}s`,
    '--latency',
    ...shape,
    url,
  ]);
  if (/Non-2xx or 3xx responses|Socket errors/.test(stdout)) throw new Error(`${url} did not answer well:\n${stdout}`);
  return {
    requestsPerSecond: Number(field(stdout, /Requests\/sec:\s+([\d.]+)/)[1]),
    p99Ms: milliseconds(field(stdout, /99%\s+([\d.]+)(us|ms|s)/)),
  };
}

function field(output: string, pattern: RegExp): RegExpExecArray {
  const found = pattern.exec(output);
  if (found === null) throw new Error(`wrk said something else:\n${output}`);
  return found;
}

function milliseconds([, value, unit]: RegExpExecArray): number {
  const factors: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000 };
  return Number(value) * (factors[unit ?? ''] ?? Number.NaN);
}

function median(rounds: readonly Throughput[]): Throughput {
  const sorted = rounds.toSorted((a, b) => a.requestsPerSecond - b.requestsPerSecond);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new RangeError('A median needs a round');
  return middle;
}
