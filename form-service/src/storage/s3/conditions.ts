import { StorageUnavailableError } from '../submission-store.ts';

/** What a conditional write came to: the new version's etag, or why there is none. */
export type WriteOutcome =
  | { readonly etag: string }
  /** A conflict is the server's word that the condition did not hold, or that it could not tell. */
  | { readonly error: unknown; readonly isConflict: boolean };

export type Condition = { readonly IfNoneMatch: '*' } | { readonly IfMatch: string };

/** How a server wants to read an etag in a condition. */
export type EtagForm = (etag: string) => string;

const ETAG_FORMS: readonly EtagForm[] = [(etag) => etag, (etag) => etag.replaceAll('"', '')];

/** The server takes conditional writes and does not keep to the conditions: submissions would be lost, so none is stored. */
export class UnsafeServerError extends StorageUnavailableError {}

/**
 * Tries on an object of its own whether a server keeps to conditions, and how it reads an etag: with its quotes as RFC 9110
 * has it, or bare as older Ceph gateways want it. All guarantees of the store rest on this.
 *
 * @param write writes the one object with a text, under a condition
 * @throws UnsafeServerError when the server ignores a condition
 */
export async function learnEtagForm(write: (text: string, condition: Condition) => Promise<WriteOutcome>): Promise<EtagForm> {
  const first = await write('first', { IfNoneMatch: '*' });
  if (!('etag' in first)) throw first.error;
  await expectConflict(write('second', { IfNoneMatch: '*' }));
  await expectConflict(write('third', { IfMatch: '"00000000000000000000000000000000"' }));
  for (const form of ETAG_FORMS) {
    const outcome = await write('fourth', { IfMatch: form(first.etag) });
    if ('etag' in outcome) return form;
    if (!outcome.isConflict) throw outcome.error;
  }
  throw new UnsafeServerError('storage: the server does not know If-Match');
}

async function expectConflict(writing: Promise<WriteOutcome>): Promise<void> {
  const outcome = await writing;
  if ('etag' in outcome) throw new UnsafeServerError('storage: the server does not keep to If-None-Match and If-Match');
  if (!outcome.isConflict) throw outcome.error;
}
