import { formLabelOf } from '../canary/form-label.ts';
import type { StoredSubmission, SubmissionStore } from '../storage/submission-store.ts';
import { formatDuration } from './duration.ts';
import { select, type Selection } from './selection.ts';
import { table } from './table.ts';
import type { Terminal } from './terminal.ts';

/** `list`: references and how deliveries stand; no visitor's data. */
export async function list(store: SubmissionStore, terminal: Terminal, selection: Selection & { json?: boolean }): Promise<void> {
  const found: StoredSubmission[] = [];
  for await (const one of select(store, selection)) found.push(one);
  found.sort((a, b) => a.submission.receivedAt.localeCompare(b.submission.receivedAt));
  if (selection.json) return terminal.printJson(found.map(summaryOf));
  if (found.length === 0) return terminal.note('No submissions.');
  const headings = ['REFERENCE', 'FORM', 'STATE', 'AGE', 'ATTEMPTS', 'WHY'];
  await terminal.printLine(table(headings, found.map(rowOf)));
}

function summaryOf({ state, submission }: StoredSubmission) {
  const { id: reference, receivedAt, delivery, suspicions } = submission;
  return { reference, form: formLabelOf(submission), state, receivedAt, ...delivery, suspicions };
}

function rowOf({ state, submission }: StoredSubmission): string[] {
  const { id, receivedAt, delivery, suspicions = [] } = submission;
  const age = formatDuration(Date.now() - Date.parse(receivedAt));
  const why = state === 'quarantined' ? suspicions.join('; ') : state === 'delivered' ? '' : delivery.lastError;
  return [id, formLabelOf(submission), state, age, String(delivery.attempts), why ?? ''];
}
