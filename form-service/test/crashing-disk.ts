import { Disk } from '../src/storage/disk.ts';

/** The process is dead: nothing it does has any effect. */
export class CrashError extends Error {
  override readonly name = 'CrashError';
}

/** A disk that takes a number of steps more and then none: the process died. */
export class CrashingDisk extends Disk {
  private stepsLeft = Number.POSITIVE_INFINITY;

  crashAfter(steps: number): void {
    this.stepsLeft = steps;
  }

  override create(path: string, content: string): Promise<void> {
    return this.step(() => super.create(path, content));
  }

  override mark(path: string, content: string): Promise<void> {
    return this.step(() => super.mark(path, content));
  }

  override publish(draft: string, path: string, content: string): boolean {
    this.live();
    return super.publish(draft, path, content);
  }

  override syncFile(path: string): Promise<boolean> {
    return this.step(() => super.syncFile(path));
  }

  override append(path: string, content: string): Promise<void> {
    return this.step(() => super.append(path, content));
  }

  override link(from: string, to: string): Promise<boolean> {
    return this.step(() => super.link(from, to));
  }

  override rename(from: string, to: string): Promise<boolean> {
    return this.step(() => super.rename(from, to));
  }

  override unlink(path: string): Promise<boolean> {
    return this.step(() => super.unlink(path));
  }

  override syncFolder(path: string): Promise<void> {
    return this.step(() => super.syncFolder(path));
  }

  private async step<T>(doIt: () => Promise<T>): Promise<T> {
    this.live();
    return doIt();
  }

  private live(): void {
    if (this.stepsLeft-- <= 0) throw new CrashError('before a step');
  }
}
