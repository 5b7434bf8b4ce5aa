import { setTimeout as pause } from 'node:timers/promises';
import type { SubmissionStore } from '../storage/submission-store.ts';
import { EXIT, OperatorError } from './operator-error.ts';
import { isFrom, select } from './selection.ts';
import type { Terminal } from './terminal.ts';

/** How long an erasure waits for a delivery in progress, in milliseconds: as long as a mail server may be silent. */
const CLAIM_WAIT_MS = 30_000;
const CLAIM_POLL_MS = 200;

interface EraseOptions {
  readonly email: string;
  readonly yes?: boolean;
}

/** What an erasure needs beside the store. */
export interface ErasureEnvironment {
  /** Removes jobs; false when Redis is away. */
  readonly removeJobs: (ids: readonly string[]) => Promise<boolean>;
}

/** `erase`: the right of erasure. Record, file and job of everything that came from an address. */
export async function erase(store: SubmissionStore, terminal: Terminal, options: EraseOptions, environment: ErasureEnvironment): Promise<void> {
  const ids: string[] = [];
  for await (const { submission } of select(store, { state: 'all' })) if (isFrom(submission, options.email)) ids.push(submission.id);
  if (ids.length === 0) throw new OperatorError('Nothing was sent from this address.', EXIT.notFound);
  if (!options.yes) {
    terminal.note(`To be erased: ${ids.join(', ')}`);
    throw new OperatorError('Nothing was erased. Add --yes to erase these submissions for good.', EXIT.usage);
  }
  for (const id of ids) await eraseOne(store, id);
  if (!(await environment.removeJobs(ids))) terminal.note('Redis is away: jobs hold the reference only and end by themselves.');
  await prove(store, terminal, ids);
}

/** Under the claim of its delivery, so that a worker which is sending it does not bring it back. */
async function eraseOne(store: SubmissionStore, id: string): Promise<void> {
  const deadline = Date.now() + CLAIM_WAIT_MS;
  while (!(await store.claim(id))) {
    if (Date.now() > deadline) throw new OperatorError(`${id} is being delivered just now; try again in a minute.`, EXIT.busy);
    await pause(CLAIM_POLL_MS);
  }
  try {
    const found = await store.find(id);
    if (found) await store.remove(id, found.state);
  } finally {
    await store.release(id);
  }
}

async function prove(store: SubmissionStore, terminal: Terminal, references: readonly string[]): Promise<void> {
  const line = JSON.stringify({ event: 'erased', at: new Date().toISOString(), count: references.length, references });
  await store.recordErasure(line);
  await terminal.printLine(line);
}
