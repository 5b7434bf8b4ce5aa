/**
 * Group commit: calls that arrive while a statement runs share the next statement.
 *
 * @param write returns the result of each value. Its error is that of each call in the batch
 * @param maxBatchSize maximum number of calls that share a statement
 */
export function groupCommit<Value, Result>(
  write: (batch: readonly Value[]) => Promise<readonly Result[]>,
  maxBatchSize = 64,
): (value: Value) => Promise<Result> {
  const waiting: { value: Value; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = [];

  async function writeNext(): Promise<void> {
    const batch = waiting.slice(0, maxBatchSize);
    try {
      const results = await write(batch.map(({ value }) => value));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    // They stay in the list until here: a call that arrives in the meantime starts no statement of its own.
    waiting.splice(0, batch.length);
    if (waiting.length > 0) setImmediate(writeNext);
  }

  return (value) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ value, resolve, reject }) === 1) setImmediate(writeNext);
    });
}
