/** Records read at once where many are: object storage takes its time for each. */
const AT_ONCE = 16;

/** Ids in groups that may be looked at together. */
export async function* batches(ids: AsyncIterable<string>): AsyncIterable<string[]> {
  let batch: string[] = [];
  for await (const id of ids) {
    batch.push(id);
    if (batch.length < AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
