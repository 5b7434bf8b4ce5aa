import type { SubmissionStore } from '../storage/submission-store.ts';
import { findByReference } from './selection.ts';
import { table } from './table.ts';
import type { Terminal } from './terminal.ts';

/** `show`: everything about one submission, the visitor's data included. */
export async function show(store: SubmissionStore, terminal: Terminal, reference: string, options: { json?: boolean }): Promise<void> {
  const { state, submission } = await findByReference(store, reference);
  if (options.json) return terminal.printJson({ state, ...submission });
  const { id, form, receivedAt, requestId, delivery, fields, suspicions = [] } = submission;
  const rows = Object.entries({ Reference: id, Form: form, State: state, Received: receivedAt, Request: requestId, ...delivery, Suspicions: suspicions.join('; ') });
  const resume = submission.form === 'application' ? { resume: `${submission.resume.name} (${submission.resume.mediaType}, ${submission.resume.size} bytes)` } : {};
  const all = [...rows, ...Object.entries({ ...fields, ...resume })].filter(([, value]) => value !== '');
  await terminal.printLine(table(['FIELD', 'VALUE'], all.map(([name, value]) => [name, printable(String(value))])));
}

/** A visitor's text must not steer the operator's terminal. */
function printable(value: string): string {
  return value.replace(/\n/g, '\n    ').replace(/(?!\n)[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD');
}
