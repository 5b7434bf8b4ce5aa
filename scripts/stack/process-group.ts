import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { execaSync } from 'execa';

/**
 * A running process as `PID-START`, which no later process with the same number has; undefined when there is none, or only
 * its zombie. The start is in the system's own words, and only good for comparing.
 */
export function identify(pid: number): string | undefined {
  if (existsSync('/proc/self/stat')) {
    const [state, , , ...more] = statOf(pid) ?? [];
    return state === undefined || state === 'Z' ? undefined : `${pid}-${more[16]}`;
  }
  const { stdout } = execaSync('ps', ['-o', 'lstart=', '-p', String(pid)], { reject: false });
  return stdout ? `${pid}-${stdout.replace(/\W+/g, '')}` : undefined;
}

/** Linux: what /proc says of a process, from its state on, parent and group following; undefined when there is none. */
function statOf(pid: number | string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets before it may hold anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** The process of an identity. */
export const pidOf = (identity: string): number => Number.parseInt(identity, 10);

/** Whether that very process still runs. */
export const isRunning = (identity: string): boolean => identify(pidOf(identity)) === identity;

/** Sends a signal to a process, or to a whole group by its negative number; false when there is none. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
    return code === 'EPERM';
  }
}

/** Waits until nobody of a process group is left; false when somebody is after that time. */
export async function groupIsEmptyWithin(pid: number, milliseconds: number): Promise<boolean> {
  for (const deadline = Date.now() + milliseconds; hasMembers(pid); await pause(10)) {
    if (Date.now() > deadline) return false;
  }
  return true;
}

/** Zombies do not count: orphans stay that until the system's first process notices, and not every container has one that does. */
function hasMembers(group: number): boolean {
  if (!sendSignal(-group, 0) || !existsSync('/proc/self/stat')) return sendSignal(-group, 0);
  return readdirSync('/proc').some((name) => {
    const [state, , itsGroup] = /^\d+$/.test(name) ? (statOf(name) ?? []) : [];
    return itsGroup === String(group) && state !== 'Z';
  });
}
