import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../scripts/stack/ports.ts';
import { httpProbe, redisProbe } from '../scripts/stack/probes.ts';
import type { Programs } from '../scripts/stack/programs.ts';
import { withProcess } from './local-process.ts';
import { pacedLatencies, percentile } from './paced-load.ts';
import { atLeast, below, type Result } from './result.ts';
import { measureInTurns } from './wrk.ts';

const SHAPE = 'bench/post-contact.lua';
const CONNECTIONS = 32;
const PACE_PER_SECOND = 50;
const PACE_SECONDS = 10;

/**
 * POST /api/contact, which validates, stores with fsync and enqueues, against a bare handler that only adds the same job.
 * Both talk to one Redis with its log on disk; no worker runs.
 */
export async function benchContact({ redisServer = '' }: Programs): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kitewright-bench-'));
  const [redis = 0, api = 0, worker = 0, bare = 0] = await freePorts(4);
  const env = {
    NODE_ENV: 'production',
    REDIS_URL: `redis://127.0.0.1:${redis}`,
    STORAGE_URL: `file:${folder}/submissions`,
    WORKER_PORT: String(worker),
    RATE_LIMIT_PER_MINUTE: '1000000000',
    INSTANCE: 'bench',
  };
  const redisArgs = ['--port', String(redis), '--bind', '127.0.0.1', '--dir', folder, '--appendonly', 'yes', '--save', ''];
  const ready = (port: number) => httpProbe(`http://127.0.0.1:${port}/health/ready`);
  const node = process.execPath;
  try {
    return await withProcess(redisServer, redisArgs, {}, redisProbe(redis), () =>
      withProcess(node, ['form-service/dist/api.js'], { ...env, API_PORT: String(api) }, ready(api), () =>
        withProcess(node, ['bench/bare-express.mjs'], { ...env, API_PORT: String(bare) }, ready(bare), () => compare(api, bare)),
      ),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare(api: number, bare: number): Promise<Result[]> {
  const url = (port: number) => `http://127.0.0.1:${port}/api/contact`;
  const body = /wrk\.body = '(.*)'/.exec(readFileSync(SHAPE, 'utf8'))?.[1] ?? '';
  const paced: number[][] = [];
  for (const port of [bare, api]) paced.push(await pacedLatencies(url(port), body, PACE_PER_SECOND, PACE_SECONDS));
  const [barePaced = [], ourPaced = []] = paced;
  const [ours, theirs] = await measureInTurns([api, bare].map((port) => ({ url: url(port), connections: CONNECTIONS, script: SHAPE })));
  if (ours === undefined || theirs === undefined) throw new RangeError('Two targets were measured');
  return [
    atLeast('POST /api/contact, throughput against bare Express 5 + BullMQ add', 'requests/s', ours.requestsPerSecond, theirs.requestsPerSecond, 0.5),
    below(`POST /api/contact, p50 at ${PACE_PER_SECOND} requests/s`, 'ms', percentile(ourPaced, 0.5), percentile(barePaced, 0.5), 30),
    below(`POST /api/contact, p99 at ${PACE_PER_SECOND} requests/s`, 'ms', percentile(ourPaced, 0.99), percentile(barePaced, 0.99), 100),
  ];
}
