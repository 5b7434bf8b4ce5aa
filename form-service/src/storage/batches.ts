/** Records read at once where many are: object storage takes its time for each. */
const AT_ONCE = 16;

/** What is listed, in groups that may be looked at together. */
export async function* batches<T>(listed: AsyncIterable<T>): AsyncIterable<T[]> {
  let batch: T[] = [];
  for await (const one of listed) {
    batch.push(one);
    if (batch.length < AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
