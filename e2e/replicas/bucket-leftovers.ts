import { setTimeout as pause } from 'node:timers/promises';
import { ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';

/** A claim of a dead process lapses after two minutes, and each sweep does one task of several. */
const QUIET_MS = 400_000;
const LOOK_MS = 5_000;

/** Keys hold references and nothing of a visitor. What is left over when sweeps have had their time: */
export async function leftoversWhenQuiet(client: S3Client, bucket: string, prefix: string, records: ReadonlyMap<string, string>): Promise<string[]> {
  const deadline = performance.now() + QUIET_MS;
  for (;;) {
    const left = leftovers(await keysBelow(client, bucket, prefix), records);
    if (left.length === 0 || performance.now() > deadline) return left;
    await pause(LOOK_MS);
  }
}

/** What belongs to no submission: claims, files and markers without a record, and all but one marker of each. */
function leftovers(all: readonly string[], records: ReadonlyMap<string, string>): string[] {
  const marked = new Set<string>();
  return all.filter((key) => {
    const [kind = '', second = '', ...rest] = key.split('/');
    if (kind === 'checks' || kind === 'erasures') return false;
    if (kind === 'records' || kind === 'resumes') return !records.has(second);
    if (kind !== 'index') return true;
    const reference = rest.at(-1)?.split('~', 1)[0] ?? '';
    const isTheOne = records.get(reference) === second && !marked.has(reference);
    marked.add(reference);
    return !isTheOne;
  });
}

async function keysBelow(client: S3Client, Bucket: string, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  let ContinuationToken: string | undefined;
  do {
    const page = await client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken }));
    for (const { Key = '' } of page.Contents ?? []) keys.push(Key.slice(prefix.length));
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
  return keys;
}
