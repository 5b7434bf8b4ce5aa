import { setTimeout as pause } from 'node:timers/promises';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';

/** Time limit of one attempt, a last resort: each reply has its own limit. */
export const ATTEMPT_MAX_MS = 20 * 60_000;

/**
 * Times of the graceful shutdown, together less than the 30 s that Docker waits. Attempts in progress may finish. Then
 * they are interrupted and record the interruption. Last, BullMQ may update Redis.
 */
const STOP_GRACE_MS = 30_000;
export const INTERRUPT_MS = 2_000;
export const REDIS_MS = 1_000;
export const FINISH_MS = STOP_GRACE_MS - INTERRUPT_MS - REDIS_MS - 3_000;

/**
 * One attempt to send something. A single AbortSignal ends all of its work: the open file, the scan and the connection.
 * The time limit runs while {@link run} works, and not while the attempt waits for a free connection.
 */
export class Attempt {
  private readonly controller = new AbortController();
  /** Whether its work is in progress. A waiting attempt can be ended without loss. */
  isRunning = false;
  /** Start of the latest work, in milliseconds since the epoch. */
  startedAt = Date.now();

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Ends the attempt, which fails for this reason. */
  end(reason: Error): void {
    this.controller.abort(reason);
  }

  /** Runs the work under the time limit. @throws the reason, if the attempt has ended before */
  async run<T>(work: () => Promise<T>, maxMs = ATTEMPT_MAX_MS): Promise<T> {
    this.signal.throwIfAborted();
    const timer = setTimeout(() => this.end(new DOMException('The attempt took too long.', 'TimeoutError')), maxMs);
    this.isRunning = true;
    this.startedAt = Date.now();
    try {
      return await work();
    } catch (error) {
      // After an abort, the error of the work is only a consequence.
      this.signal.throwIfAborted();
      throw error;
    } finally {
      this.isRunning = false;
      clearTimeout(timer);
    }
  }
}

/** Pause between two tries to write a result. */
const WRITE_RETRY_MS = 1_000;

/**
 * Writes the result of something that was sent, and retries while the database is unavailable. The caller keeps its lease
 * meanwhile, because a second attempt would send it again.
 *
 * @param signal ends the retries
 */
export async function untilWritten<T>(write: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof StorageUnavailableError) || signal.aborted) throw error;
      await pause(WRITE_RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Waits until all work has ended, also if some of it fails. @throws the first error */
export async function allEnded(work: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(work);
  await Promise.all(work);
}

/** Waits for a promise that takes no signal, until the signal is aborted. */
export async function abortable<T>(waited: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => (abort = () => reject(signal.reason as Error)));
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([waited, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
