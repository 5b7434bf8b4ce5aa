import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { statOf } from './lock.ts';

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
