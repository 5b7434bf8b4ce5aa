import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';
import { threadFile } from '../thread-file.ts';
import type { DocumentNote } from './notes.ts';

/** Honest files take some tens of milliseconds; what takes so long is meant to. */
const TIME_LIMIT_MS = 15_000;
/** What a file of 10 MB needs beside the buffers that hold it. */
const HEAP_LIMIT_MB = 128;

const THREAD = threadFile('review.thread', import.meta.url);

export interface ReviewLimits {
  readonly timeLimitMs?: number;
  readonly heapLimitMb?: number;
}

let last: Promise<unknown> = Promise.resolve();

/** One at a time: ten at once would need ten times the memory. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work);
  last = turn.catch(() => undefined);
  return turn;
}

/**
 * Finds out what HR should know of a file before opening it. It may be made to harm its readers, so it is read in a
 * thread of its own that is ended at a limit of time or memory; the note 'incomplete' then says so.
 */
export function reviewDocument(path: string, limits: ReviewLimits = {}): Promise<DocumentNote[]> {
  return inTurn(() => reviewInThread(path, limits));
}

/** The same for a file that is elsewhere. Whatever goes wrong, the mail goes out: the note says that nobody looked. */
export function reviewStream(openFile: () => Promise<Readable>): Promise<DocumentNote[]> {
  return inTurn(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kitewright-review-'));
    try {
      const path = join(folder, 'resume');
      await pipeline(await openFile(), createWriteStream(path, { mode: 0o600 }));
      return await reviewInThread(path);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }).catch(() => ['incomplete']);
}

async function reviewInThread(path: string, limits: ReviewLimits = {}): Promise<DocumentNote[]> {
  const { timeLimitMs = TIME_LIMIT_MS, heapLimitMb = HEAP_LIMIT_MB } = limits;
  const told = new Set<DocumentNote | 'done'>();
  const thread = new Worker(THREAD, {
    workerData: { path },
    resourceLimits: { maxOldGenerationSizeMb: heapLimitMb },
    execArgv: [],
  });
  const timer = setTimeout(() => void thread.terminate(), timeLimitMs);
  thread.on('message', (note: DocumentNote | 'done') => told.add(note));
  // One that reaches its limit of memory ends with an error, and exits as any does.
  thread.on('error', () => undefined);
  await new Promise((resolve) => thread.once('exit', resolve));
  clearTimeout(timer);
  if (!told.delete('done')) told.add('incomplete');
  return [...told] as DocumentNote[];
}
