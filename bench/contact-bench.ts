import { existsSync } from 'node:fs';
import type { Programs } from '../scripts/stack/programs.ts';
import { CONTACT_BODY, CONTACT_SHAPE } from './contact-body.ts';
import { eventLoopP99, withApi, withBackends, withServer, type ServiceEnvironment } from './form-service.ts';
import { pacedLatencies, percentile } from './paced-load.ts';
import { atLeast, below, type Result } from './result.ts';
import { measureInTurns, runWrk } from './wrk.ts';

const CONNECTIONS = 32;
const PACE_PER_SECOND = 50;
const PACE_SECONDS = 10;

/** A file system in memory: what is left there is the price of our code, without that of making files on the disk. */
const IN_MEMORY = '/dev/shm';

/**
 * POST /api/contact, which validates, stores with fsync and enqueues, against a bare handler that only adds the same job.
 * Both talk to one Redis with its log beside the store; no worker runs.
 */
export async function benchContact(programs: Programs): Promise<Result[]> {
  const onDisk = await withBoth(programs, undefined, async (api, bare) => [
    await throughput('', api, bare),
    ...(await latencies(api, bare)),
    await eventLoop(api),
  ]);
  if (!existsSync(IN_MEMORY)) return onDisk;
  return [...onDisk, await withBoth(programs, IN_MEMORY, (api, bare) => throughput(', database in memory', api, bare))];
}

function withBoth<Value>(
  programs: Programs,
  parent: string | undefined,
  action: (api: string, bare: string) => Promise<Value>,
): Promise<Value> {
  const both = (env: ServiceEnvironment) =>
    withApi(env, (api) =>
      withServer('bench/bare-express.mjs', env, '/health/ready', (bare) =>
        action(`${api}/api/contact`, `${bare}/api/contact`),
      ),
    );
  return withBackends(programs, both, parent);
}

async function throughput(where: string, api: string, bare: string): Promise<Result> {
  const [ours, theirs] = await measureInTurns(
    [api, bare].map((url) => ({ url, connections: CONNECTIONS, script: CONTACT_SHAPE })),
  );
  if (ours === undefined || theirs === undefined) throw new RangeError('Two targets were measured');
  return atLeast(
    `POST /api/contact, throughput against bare Express 5 + BullMQ add${where}`,
    'requests/s',
    ours.requestsPerSecond,
    theirs.requestsPerSecond,
    0.6,
  );
}

/** How long a visitor's request waits for those of others, at full load. */
async function eventLoop(api: string): Promise<Result> {
  const origin = new URL(api).origin;
  await eventLoopP99(origin);
  await runWrk({ url: api, connections: CONNECTIONS, script: CONTACT_SHAPE });
  return below(
    'the event loop of the api at full load, p99 of its delay',
    'ms',
    await eventLoopP99(origin),
    undefined,
    10,
  );
}

async function latencies(api: string, bare: string): Promise<Result[]> {
  const barePaced = await pacedLatencies(bare, CONTACT_BODY, PACE_PER_SECOND, PACE_SECONDS);
  const ourPaced = await pacedLatencies(api, CONTACT_BODY, PACE_PER_SECOND, PACE_SECONDS);
  return [
    below(
      `POST /api/contact, p50 at ${PACE_PER_SECOND} requests/s`,
      'ms',
      percentile(ourPaced, 0.5),
      percentile(barePaced, 0.5),
      30,
    ),
    below(
      `POST /api/contact, p99 at ${PACE_PER_SECOND} requests/s`,
      'ms',
      percentile(ourPaced, 0.99),
      percentile(barePaced, 0.99),
      100,
    ),
  ];
}
