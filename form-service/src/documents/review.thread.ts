import { parentPort, workerData } from 'node:worker_threads';
import { reviewFile } from './review-file.ts';
import type { DocumentNote } from './notes.ts';

/** Each note is posted when it is found, so that the notes before a limit are not lost. */
const posted = new Set<DocumentNote | 'done'>();

function post(note: DocumentNote | 'done'): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
  if (!posted.has(note)) parentPort?.postMessage(note);
  posted.add(note);
}

try {
  for await (const note of reviewFile((workerData as { path: string }).path)) post(note);
} catch {
  post('incomplete');
}
post('done');
