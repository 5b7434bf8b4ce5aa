import { randomBytes } from 'node:crypto';

/** Names of the holders that live in this process. */
const livingHere = new Set<string>();

/**
 * A store opened by one process: the name under which it holds claims and half-written files, so that what a dead
 * process left can be told from what a living one is working on.
 */
export class Holder {
  /** `<instance>~<pid>~<nonce>` */
  readonly name: string;

  constructor(private readonly instance: string) {
    this.name = `${instance}~${process.pid}~${randomBytes(4).toString('hex')}`;
    livingHere.add(this.name);
  }

  /** Whether the named holder is of this machine and surely dead. One of another machine may be alive. */
  knowsDead(name: string): boolean {
    const [instance, pid] = name.split('~');
    if (instance !== this.instance) return false;
    return Number(pid) === process.pid ? !livingHere.has(name) : !isRunning(Number(pid));
  }

  /** Gives the name up: what it holds may be cleaned away. */
  close(): void {
    livingHere.delete(this.name);
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid < 1) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
