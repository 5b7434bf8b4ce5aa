import type { Programs } from '../scripts/stack/programs.ts';
import { CONTACT_BODY, CONTACT_SHAPE } from './contact-body.ts';
import { withApi, withBackends, withServer } from './form-service.ts';
import { pacedLatencies, percentile } from './paced-load.ts';
import { atLeast, below, type Result } from './result.ts';
import { measureInTurns } from './wrk.ts';

const CONNECTIONS = 32;
const PACE_PER_SECOND = 50;
const PACE_SECONDS = 10;

/**
 * POST /api/contact, which validates, stores with fsync and enqueues, against a bare handler that only adds the same job.
 * Both talk to one Redis with its log on disk; no worker runs.
 */
export function benchContact(programs: Programs): Promise<Result[]> {
  return withBackends(programs, (env) =>
    withApi(env, (api) => withServer('bench/bare-express.mjs', env, '/health/ready', (bare) => compare(`${api}/api/contact`, `${bare}/api/contact`))),
  );
}

async function compare(api: string, bare: string): Promise<Result[]> {
  const paced: number[][] = [];
  for (const url of [bare, api]) paced.push(await pacedLatencies(url, CONTACT_BODY, PACE_PER_SECOND, PACE_SECONDS));
  const [barePaced = [], ourPaced = []] = paced;
  const [ours, theirs] = await measureInTurns([api, bare].map((url) => ({ url, connections: CONNECTIONS, script: CONTACT_SHAPE })));
  if (ours === undefined || theirs === undefined) throw new RangeError('Two targets were measured');
  return [
    atLeast('POST /api/contact, throughput against bare Express 5 + BullMQ add', 'requests/s', ours.requestsPerSecond, theirs.requestsPerSecond, 0.5),
    below(`POST /api/contact, p50 at ${PACE_PER_SECOND} requests/s`, 'ms', percentile(ourPaced, 0.5), percentile(barePaced, 0.5), 30),
    below(`POST /api/contact, p99 at ${PACE_PER_SECOND} requests/s`, 'ms', percentile(ourPaced, 0.99), percentile(barePaced, 0.99), 100),
  ];
}
