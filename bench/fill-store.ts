import { readFileSync, writeFileSync } from 'node:fs';
import { FolderStore } from '../form-service/src/storage/folder-store.ts';
import { Holder } from '../form-service/src/storage/holder.ts';
import { randomSubmissionId } from '../form-service/src/storage/submission-id.ts';
import type { Submission } from '../form-service/src/storage/submission.ts';

/** Puts so many delivered submissions into a folder: one goes through the store, the others are copies of its record. */
export async function fillStore(folder: string, count: number): Promise<void> {
  const store = await FolderStore.open(folder, new Holder('bench'));
  const now = new Date().toISOString();
  const id = randomSubmissionId();
  const fields = { name: 'Ana Example', email: 'ana@example.org', phone: '', service: 'Web Development', message: 'A message of the length that people write: we need a new shop.' };
  const submission: Submission = { version: 1, id, form: 'contact', receivedAt: now, requestId: 'bench', contentDigest: '0'.repeat(64), fields, delivery: { attempts: 0 } };
  await store.accept(submission, 'pending');
  await store.update({ ...submission, delivery: { attempts: 0, deliveredAt: now } }, 'pending', 'delivered');
  const record = readFileSync(store.layout.record('delivered', id), 'utf8');
  for (let index = 1; index < count; index += 1) {
    const copy = randomSubmissionId();
    writeFileSync(store.layout.record('delivered', copy), record.replace(id, copy), { mode: 0o600 });
  }
  await store.close();
}
