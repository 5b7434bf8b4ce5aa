import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../form-service/test/until.ts';
import { freePorts } from '../scripts/stack/ports.ts';
import { httpProbe, redisProbe } from '../scripts/stack/probes.ts';
import { requirePrograms } from '../scripts/stack/programs.ts';

/** Settings of the form service's processes, by the names of the variables. */
export type Environment = Readonly<Record<string, string>>;

/** Runs a process for as long as an action takes, once it answers its probe. */
async function withProcess<Value>(
  command: string,
  args: readonly string[],
  env: Environment,
  isReady: () => Promise<boolean>,
  action: () => Promise<Value>,
): Promise<Value> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, ...env } });
  const ended = once(child, 'close');
  try {
    await until(`${command} ${args.join(' ')} ready`, () => child.exitCode !== null || isReady());
    if (child.exitCode !== null) throw new Error(`${command} ${args.join(' ')} ended`);
    return await action();
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** A Redis with its log on disk, an empty database beside it, and settings that name both, for as long as an action takes. */
export async function withBackends<Value>(
  action: (env: Environment, folder: string) => Promise<Value>,
): Promise<Value> {
  const { redisServer = '' } = requirePrograms(true);
  const folder = mkdtempSync(join(tmpdir(), 'kitewright-bench-'));
  const [redis = 0] = await freePorts(1);
  const env = {
    NODE_ENV: 'production',
    REDIS_URL: `redis://127.0.0.1:${redis}`,
    DATABASE_URL: `file:${folder}/submissions.db`,
    RATE_LIMIT_PER_MINUTE: '1000000000',
  };
  const args = ['--port', String(redis), '--bind', '127.0.0.1', '--dir', folder, '--appendonly', 'yes', '--save', ''];
  try {
    return await withProcess(redisServer, args, {}, redisProbe(redis), () => action(env, folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A script that listens on `API_PORT` or `WORKER_PORT` and answers at a path once it is ready. `flags` are Node.js' own. */
async function withScript<Value>(
  [script, health]: readonly [string, string],
  env: Environment,
  action: (url: string) => Promise<Value>,
  flags: readonly string[] = [],
): Promise<Value> {
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const ports = { API_PORT: String(port), WORKER_PORT: String(port) };
  const args = [...flags, script];
  return withProcess(process.execPath, args, { ...env, ...ports }, httpProbe(url + health), () => action(url));
}

type WithScript = <Value>(
  env: Environment,
  action: (url: string) => Promise<Value>,
  flags?: readonly string[],
) => Promise<Value>;

export const withApi: WithScript = (...rest) => withScript(['form-service/dist/api.js', '/health/ready'], ...rest);
export const withBareExpress: WithScript = (...rest) =>
  withScript(['bench/bare-express.mjs', '/health/ready'], ...rest);
/** Its mail server need not be there. */
export const withWorker: WithScript = (...rest) => withScript(['form-service/dist/worker.js', '/health/live'], ...rest);
