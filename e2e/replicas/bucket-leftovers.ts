import { setTimeout as pause } from 'node:timers/promises';
import { ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';

/** A claim of a dead process lapses after two minutes at the latest, and each sweep does one task of several. */
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

/**
 * What no sweep would find, or should have: claims, records that are not listed or have no marker in their state, and files
 * that neither a record nor a marker leads to. A marker by itself lists nothing and goes an hour after the attempt that left it.
 */
function leftovers(all: readonly string[], records: ReadonlyMap<string, string>): string[] {
  const marked = new Set<string>();
  const attempts = new Set<string>();
  for (const key of all) {
    const [kind, state = '', ...rest] = key.split('/');
    const [reference = '', nonce = ''] = rest.at(-1)?.split('~') ?? [];
    if (kind === 'index') marked.add(`${reference} ${state}`);
    if (kind === 'index') attempts.add(`${reference} ${nonce}`);
  }
  const lost = all.filter((key) => {
    const [kind, second = '', nonce = ''] = key.split('/');
    if (kind === 'records') return !records.has(second);
    if (kind === 'resumes') return !records.has(second) && !attempts.has(`${second} ${nonce}`);
    return kind === 'claims' || (kind === 'index' && second === 'erased');
  });
  return [...lost, ...[...records].filter(([reference, state]) => !marked.has(`${reference} ${state}`)).map(([reference]) => reference)];
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
