/** Time limit of one attempt, a last resort: each reply has its own limit. */
export const ATTEMPT_MAX_MS = 20 * 60_000;

/** One attempt to send something. A single AbortSignal ends all of its work: the open file, the scan and the connection. */
export class Attempt {
  private readonly controller = new AbortController();

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Ends the attempt, which fails for this reason. */
  end(reason: Error): void {
    this.controller.abort(reason);
  }

  /** Runs work under a time limit. @throws the reason, if the attempt has ended */
  async run<T>(work: () => Promise<T>, maxMs = ATTEMPT_MAX_MS): Promise<T> {
    this.signal.throwIfAborted();
    const timer = setTimeout(() => this.end(new DOMException('The attempt took too long.', 'TimeoutError')), maxMs);
    try {
      return await work();
    } catch (error) {
      // After an abort, the error of the work is only a consequence.
      this.signal.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
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
