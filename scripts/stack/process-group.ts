import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { execaSync } from 'execa';

const LINUX_BOOT_ID = '/proc/sys/kernel/random/boot_id';
const LINUX_PID_NAMESPACE = '/proc/self/ns/pid';

/** Number of the PID namespace of this process: on Linux each container has ids of its own. 0 on other systems. */
export const PID_NAMESPACE = existsSync(LINUX_PID_NAMESPACE) ? numberIn(readlinkSync(LINUX_PID_NAMESPACE)) : '0';

/**
 * Identifies the machine and its boot within which process ids are comparable. Other systems than Linux have no id of a
 * boot, so host name and time of the boot identify it.
 */
export const BOOT = existsSync(LINUX_BOOT_ID)
  ? `${readFileSync(LINUX_BOOT_ID, 'utf8').trim()} ${readlinkSync(LINUX_PID_NAMESPACE)}`
  : `${hostname()} ${execaSync('sysctl', ['-n', 'kern.boottime'], { reject: false }).stdout}`;

/**
 * Returns a running process as `PID-START`, which distinguishes it from later processes with the same pid, or undefined if
 * it has ended or is a zombie. The start time has the format of the operating system, and can only be compared.
 */
export function identify(pid: number): string | undefined {
  if (existsSync('/proc/self/stat')) {
    const [state, , , ...more] = statOf(pid) ?? [];
    return state === undefined || state === 'Z' ? undefined : `${pid}-${more[16]}`;
  }
  // The format depends on the language and the time zone of the caller, which another run may have changed.
  const env = { LC_ALL: 'C', TZ: 'UTC' };
  const { stdout } = execaSync('ps', ['-o', 'lstart=', '-p', String(pid)], { env, reject: false });
  return stdout ? `${pid}-${stdout.replace(/\W+/g, '')}` : undefined;
}

function numberIn(text: string): string {
  return text.replaceAll(/\D/g, '');
}

/** Linux: the fields of /proc/PID/stat from the state on (state, parent, group ...), or undefined if there is no process. */
function statOf(pid: number | string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program comes before, in brackets, and may contain any character.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

export const pidOf = (identity: string): number => Number.parseInt(identity, 10);

/** Whether this process, and not a later one with the same pid, still runs. */
export const isRunning = (identity: string): boolean => identify(pidOf(identity)) === identity;

/** Sends a signal to a process, or to a process group by its negative pid. Returns false if there is none. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
    return code === 'EPERM';
  }
}

/** Waits until all processes of a group have ended. Returns false on timeout. */
export async function waitForGroupEnd(pid: number, milliseconds: number): Promise<boolean> {
  for (const deadline = Date.now() + milliseconds; hasMembers(pid); await pause(10)) {
    if (Date.now() > deadline) return false;
  }
  return true;
}

/** Ignores zombies: orphans stay zombies until PID 1 reaps them, which not every container's PID 1 does. */
function hasMembers(group: number): boolean {
  if (!sendSignal(-group, 0) || !existsSync('/proc/self/stat')) return sendSignal(-group, 0);
  return readdirSync('/proc').some((name) => {
    const [state, , itsGroup] = /^\d+$/.test(name) ? (statOf(name) ?? []) : [];
    return itsGroup === String(group) && state !== 'Z';
  });
}
