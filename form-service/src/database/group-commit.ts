import DataLoader from 'dataloader';

/**
 * Group commit: calls that arrive while a statement runs share the next statement.
 *
 * @param maxBatchSize maximum number of calls that share a statement
 */
export function groupCommit<Value, Result>(
  write: (batch: readonly Value[]) => Promise<Result[]>,
  maxBatchSize = 64,
): DataLoader<Value, Result> {
  let running: Promise<unknown> = Promise.resolve();
  return new DataLoader((batch) => (running = write(batch)) as Promise<Result[]>, {
    cache: false,
    maxBatchSize,
    batchScheduleFn: (send) =>
      void running.then(
        () => setImmediate(send),
        () => setImmediate(send),
      ),
  });
}
