import DataLoader from 'dataloader';

/** Maximum number of calls that share a statement. */
const BATCH_MAX = 64;

/** Group commit: calls that arrive while a statement runs share the next statement. */
export function groupCommit<Value, Result>(
  write: (batch: readonly Value[]) => Promise<Result[]>,
): DataLoader<Value, Result> {
  let running: Promise<unknown> = Promise.resolve();
  return new DataLoader((batch) => (running = write(batch)) as Promise<Result[]>, {
    cache: false,
    maxBatchSize: BATCH_MAX,
    batchScheduleFn: (send) =>
      void running.then(
        () => setImmediate(send),
        () => setImmediate(send),
      ),
  });
}
