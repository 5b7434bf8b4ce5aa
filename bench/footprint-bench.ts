import { setTimeout as pause } from 'node:timers/promises';
import type { Programs } from '../scripts/stack/programs.ts';
import { residentMegabytes, withApi, withBackends, withWorker, type ServiceEnvironment } from './form-service.ts';
import { median } from './median.ts';
import { below, type Result } from './result.ts';

const ROUNDS = 3;
/** Until a process that has just started is idle, in milliseconds. */
const SETTLE_MS = 5_000;

/** From the start of each process to its first good health check, and the memory it then holds when nothing happens. */
export function benchFootprint(programs: Programs): Promise<Result[]> {
  return withBackends(programs, async (env) => [
    ...(await footprint('api', withApi, env)),
    ...(await footprint('worker', withWorker, env)),
  ]);
}

async function footprint(name: string, withProcess: typeof withApi, env: ServiceEnvironment): Promise<Result[]> {
  const starts: number[] = [];
  const sizes: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    await withProcess(env, async (_url, pid) => {
      starts.push(performance.now() - startedAt);
      await pause(SETTLE_MS);
      sizes.push(residentMegabytes(pid));
    });
  }
  return [
    below(`cold start of the ${name} to healthy`, 'ms', median(starts), undefined, 1500),
    below(`memory of the idle ${name}`, 'MB', median(sizes), undefined, 120),
  ];
}
