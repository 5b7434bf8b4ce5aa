import { setTimeout as pause } from 'node:timers/promises';

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

/**
 * Waits until a process group is empty; false when it is not within that time. Members that have ended count until their
 * parent has noticed, which for orphans is the system's first process, and not every container has one that does.
 */
export async function groupIsEmptyWithin(pid: number, milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while (sendSignal(-pid, 0)) {
    if (Date.now() > deadline) return false;
    await pause(10);
  }
  return true;
}
