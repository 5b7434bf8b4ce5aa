import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Probe } from '../scripts/stack/probes.ts';

const READY_DEADLINE_MS = 30_000;

/** Runs a process for as long as an action takes, once it answers its probe. */
export async function withProcess<Result>(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  isReady: Probe,
  action: (pid: number) => Promise<Result>,
): Promise<Result> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, ...env } });
  const ended = once(child, 'close');
  try {
    const deadline = Date.now() + READY_DEADLINE_MS;
    while (!(await isReady())) {
      if (child.pid === undefined || child.exitCode !== null || Date.now() > deadline)
        throw new Error(`${command} ${args.join(' ')} is not ready`);
      await pause(50);
    }
    return await action(child.pid ?? 0);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}
