import { StorageUnavailableError } from '../submission-store.ts';
import type { Bucket } from './bucket.ts';
import type { ConditionalWrites } from './conditional-writes.ts';

/** One object that everybody overwrites. */
const KEY = 'checks/writable';

/** A write is paid for, and probes come every few seconds: a good answer is believed for so long, in milliseconds. */
const GOOD_FOR_MS = 60_000;

/** A bad one is not, so that the return is noticed soon, in milliseconds. */
const BAD_FOR_MS = 2_000;

/** Whether the bucket can be written, asked seldom. */
export class WriteCheck {
  private at = -Infinity;
  private outcome: Promise<void> = Promise.resolve();
  private isGood = false;

  constructor(
    private readonly bucket: Bucket,
    private readonly writes: ConditionalWrites,
  ) {}

  /** @throws StorageUnavailableError */
  check(): Promise<void> {
    const age = performance.now() - this.at;
    if (age > (this.isGood ? GOOD_FOR_MS : BAD_FOR_MS)) {
      this.at = performance.now();
      this.outcome = this.write();
    }
    return this.outcome;
  }

  /** What a real write met: trouble is known at once and not only at the next check. */
  async watch<T>(writing: Promise<T>): Promise<T> {
    try {
      return await writing;
    } catch (error) {
      if (error instanceof StorageUnavailableError) this.isGood = false;
      throw error;
    }
  }

  private async write(): Promise<void> {
    this.isGood = false;
    await this.writes.require();
    await this.bucket.put(KEY);
    this.isGood = true;
  }
}
