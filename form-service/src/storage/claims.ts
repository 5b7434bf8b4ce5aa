import { lstat, lutimes, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disk } from './disk.ts';
import type { Holder } from './holder.ts';

/** A claim that was not renewed for this long has lapsed, in milliseconds. */
const LAPSE_MS = 120_000;
const RENEW_MS = 30_000;

/**
 * Marks made exclusively, one per claimed name, with the holder's name and renewed while it lives. A claim lapses
 * when it was not renewed for {@link LAPSE_MS} or when its holder is known to be dead.
 */
export class Claims {
  private readonly held = new Set<string>();
  private readonly renewal: NodeJS.Timeout;

  constructor(
    private readonly disk: Disk,
    private readonly folder: string,
    private readonly holder: Holder,
  ) {
    this.renewal = setInterval(() => void this.renew(), RENEW_MS).unref();
  }

  /** False when another holder, or this one, has it already. */
  async take(name: string): Promise<boolean> {
    const path = join(this.folder, name);
    const taken = (await this.make(path)) || ((await this.hasLapsed(path)) && (await this.takeOver(path)));
    if (taken) this.held.add(path);
    return taken;
  }

  /** Gives a claim back; nothing happens when it is not held here. */
  async release(name: string): Promise<void> {
    const path = join(this.folder, name);
    if (!this.held.delete(path)) return;
    if ((await this.disk.readMark(path)) === this.holder.name) await this.disk.unlink(path);
  }

  /** Names of the claims that have lapsed and can be taken. */
  async lapsed(): Promise<string[]> {
    const names: string[] = [];
    for (const name of await readdir(this.folder)) if (await this.hasLapsed(join(this.folder, name))) names.push(name);
    return names;
  }

  /** Removes a claim that has lapsed. */
  async drop(name: string): Promise<void> {
    const path = join(this.folder, name);
    await this.underGuard(path, async () => (await this.hasLapsed(path)) && this.disk.unlink(path));
  }

  async close(): Promise<void> {
    clearInterval(this.renewal);
    await Promise.all([...this.held].map((path) => this.disk.unlink(path)));
    this.held.clear();
  }

  private async make(path: string): Promise<boolean> {
    try {
      await this.disk.mark(path, this.holder.name);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }

  private async hasLapsed(path: string): Promise<boolean> {
    const name = await this.disk.readMark(path);
    if (name === undefined) return false;
    if (this.holder.knowsDead(name)) return true;
    const age = await lstat(path).then((found) => Date.now() - found.mtimeMs, () => 0);
    return age > LAPSE_MS;
  }

  private async takeOver(path: string): Promise<boolean> {
    const taken = await this.underGuard(path, async () => (await this.hasLapsed(path)) && (await this.disk.unlink(path)) && this.make(path));
    return taken ?? false;
  }

  /** Of two that saw the same lapsed claim only one may remove it, or the second would remove the first one's new claim. */
  private async underGuard<T>(path: string, step: () => Promise<T>): Promise<T | undefined> {
    const guard = `${path}.guard`;
    if (path.endsWith('.guard')) return step();
    if (!(await this.make(guard))) return undefined;
    try {
      return await step();
    } finally {
      await this.disk.unlink(guard);
    }
  }

  private async renew(): Promise<void> {
    const now = new Date();
    await Promise.allSettled([...this.held].map((path) => lutimes(path, now, now)));
  }
}
