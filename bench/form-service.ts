import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../scripts/stack/ports.ts';
import { httpProbe, redisProbe } from '../scripts/stack/probes.ts';
import type { Programs } from '../scripts/stack/programs.ts';
import { withProcess } from './local-process.ts';

/** Settings of the form service's processes, by the names of the variables. */
export type ServiceEnvironment = Readonly<Record<string, string>>;

/**
 * A Redis with its log on disk, an empty database beside it, and settings that name both, for as long as an action takes.
 *
 * @param parent folder to put both into
 */
export async function withBackends<Result>(
  { redisServer = '' }: Programs,
  action: (env: ServiceEnvironment, folder: string) => Promise<Result>,
  parent = tmpdir(),
): Promise<Result> {
  const folder = mkdtempSync(join(parent, 'kitewright-bench-'));
  const [redis = 0] = await freePorts(1);
  const env = {
    NODE_ENV: 'production',
    REDIS_URL: `redis://127.0.0.1:${redis}`,
    DATABASE_URL: `file:${folder}/submissions.db`,
    UPLOAD_BYTES_PER_HOUR: '1000000000000',
    RATE_LIMIT_PER_MINUTE: '1000000000',
  };
  const args = ['--port', String(redis), '--bind', '127.0.0.1', '--dir', folder, '--appendonly', 'yes', '--save', ''];
  try {
    return await withProcess(redisServer, args, {}, redisProbe(redis), () => action(env, folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The api, from its start until the action is over. */
export async function withApi<Result>(
  env: ServiceEnvironment,
  action: (url: string, pid: number) => Promise<Result>,
  flags: readonly string[] = [],
): Promise<Result> {
  return withServer('form-service/dist/api.js', env, '/health/ready', action, flags);
}

/** The worker; its mail server need not be there. */
export async function withWorker<Result>(
  env: ServiceEnvironment,
  action: (url: string, pid: number) => Promise<Result>,
  flags: readonly string[] = [],
): Promise<Result> {
  return withServer('form-service/dist/worker.js', env, '/health/live', action, flags);
}

/**
 * A script that listens on `API_PORT` or `WORKER_PORT` and answers at a path once it is ready.
 *
 * @param flags options of Node.js itself
 */
export async function withServer<Result>(
  script: string,
  env: ServiceEnvironment,
  healthPath: string,
  action: (url: string, pid: number) => Promise<Result>,
  flags: readonly string[] = [],
): Promise<Result> {
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const ports = { API_PORT: String(port), WORKER_PORT: String(port) };
  return withProcess(process.execPath, [...flags, script], { ...env, ...ports }, httpProbe(url + healthPath), (pid) =>
    action(url, pid),
  );
}

/** Resident memory of a process now, in MB. */
export function residentMegabytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000;
}

/** The event loop's p99 delay since this was last asked, in milliseconds. */
export async function eventLoopP99(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_p99_seconds ([\d.e-]+)/m.exec(metrics)?.[1]) * 1_000;
}
