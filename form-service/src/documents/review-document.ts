import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';
import { threadFile } from '../thread-file.ts';
import type { DocumentNote } from './notes.ts';

/** Honest files take some tens of milliseconds; a file that takes this long is made to do so. */
const TIME_LIMIT_MS = 15_000;
/** A file of 10 MB needs this much heap, beside the buffers that hold it. */
const HEAP_LIMIT_MB = 128;

const THREAD = threadFile('review.thread', import.meta.url);

export interface ReviewLimits {
  readonly timeLimitMs?: number;
  readonly heapLimitMb?: number;
}

let last: Promise<unknown> = Promise.resolve();

/** Runs reviews one at a time: ten at once would need ten times the memory. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work);
  last = turn.catch(() => undefined);
  return turn;
}

/**
 * Reviews a file from the storage. Whatever goes wrong, the mail is sent: the note 'incomplete' says that the file was
 * not reviewed.
 */
export function reviewStream(openFile: () => Promise<Readable>): Promise<DocumentNote[]> {
  return inTurn(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kitewright-review-'));
    try {
      const path = join(folder, 'resume');
      await pipeline(await openFile(), createWriteStream(path, { mode: 0o600 }));
      return await reviewDocument(path);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }).catch(() => ['incomplete']);
}

/**
 * Reviews a file for HR. The file may be made to harm its readers, so it is read in a thread that is terminated at a
 * limit of time or memory; then the notes include 'incomplete'.
 */
export async function reviewDocument(path: string, limits: ReviewLimits = {}): Promise<DocumentNote[]> {
  const { timeLimitMs = TIME_LIMIT_MS, heapLimitMb = HEAP_LIMIT_MB } = limits;
  const told = new Set<DocumentNote | 'done'>();
  const thread = new Worker(THREAD, {
    workerData: { path },
    resourceLimits: { maxOldGenerationSizeMb: heapLimitMb },
    execArgv: [],
  });
  const timer = setTimeout(() => void thread.terminate(), timeLimitMs);
  thread.on('message', (note: DocumentNote | 'done') => told.add(note));
  // A thread that reaches its memory limit emits an error, and then exits as any thread does.
  thread.on('error', () => undefined);
  await new Promise((resolve) => thread.once('exit', resolve));
  clearTimeout(timer);
  if (!told.delete('done')) told.add('incomplete');
  return [...told] as DocumentNote[];
}
