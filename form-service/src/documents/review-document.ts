import { Worker } from 'node:worker_threads';
import type { DocumentNote } from './notes.ts';

/** Honest files take some tens of milliseconds; what takes so long is meant to. */
const TIME_LIMIT_MS = 15_000;
/** What a file of 10 MB needs beside the buffers that hold it. */
const HEAP_LIMIT_MB = 128;

/** The thread's program, in the language that this one is in: tests run the sources. */
const IS_SOURCE = import.meta.url.endsWith('.ts');
const PROGRAM = new URL(IS_SOURCE ? './review.thread.ts' : './review.thread.js', import.meta.url);

export interface ReviewLimits {
  readonly timeLimitMs?: number;
  readonly heapLimitMb?: number;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Finds out what HR should know of a file before opening it. It may be made to harm its readers, so it is read in a thread
 * of its own that is ended at a limit of time or memory; the note 'incomplete' then says so. One at a time: a hundred
 * would need a hundred times the memory.
 */
export function reviewDocument(path: string, limits: ReviewLimits = {}): Promise<DocumentNote[]> {
  const review = last.then(() => reviewInThread(path, limits));
  last = review.catch(() => undefined);
  return review;
}

async function reviewInThread(path: string, { timeLimitMs = TIME_LIMIT_MS, heapLimitMb = HEAP_LIMIT_MB }: ReviewLimits): Promise<DocumentNote[]> {
  const told = new Set<DocumentNote | 'done'>();
  const thread = new Worker(PROGRAM, {
    workerData: { path },
    resourceLimits: { maxOldGenerationSizeMb: heapLimitMb },
    execArgv: IS_SOURCE ? ['--import', 'tsx'] : [],
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
