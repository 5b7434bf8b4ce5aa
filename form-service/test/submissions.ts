import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { randomSubmissionId } from '../src/storage/submission-id.ts';
import type { SubmissionStore } from '../src/storage/submission-store.ts';
import type { ApplicationSubmission, ContactSubmission } from '../src/storage/submission.ts';

const base = () => ({
  version: 1 as const,
  id: randomSubmissionId(),
  receivedAt: new Date().toISOString(),
  requestId: randomBytes(8).toString('hex'),
  contentDigest: randomBytes(32).toString('hex'),
  delivery: { attempts: 0 },
});

/** An enquiry as the api would store it. */
export function contactSubmission(fields: Partial<ContactSubmission['fields']> = {}, rest: Partial<ContactSubmission> = {}): ContactSubmission {
  const preset = { name: 'Ada Example', email: 'ada@visitor.example', phone: '', service: 'Web Development', message: 'We need a new website.' };
  return { ...base(), form: 'contact', fields: { ...preset, ...fields } as ContactSubmission['fields'], ...rest };
}

/** An application as the api would store it, for a file with these bytes. */
export function applicationSubmission(bytes: Buffer, rest: Partial<ApplicationSubmission> = {}): ApplicationSubmission {
  return {
    ...base(),
    form: 'application',
    fields: { fullName: 'Ada Example', email: 'ada@visitor.example', phone: '', position: 'Android Developer', experience: '2 years', coverLetter: 'Hello!' },
    resume: { name: 'résumé Ada.pdf', mediaType: 'application/pdf', size: bytes.length, sha256: sha256(bytes), warnings: [] },
    ...rest,
  };
}

export async function acceptApplication(store: SubmissionStore, bytes: Buffer, rest: Partial<ApplicationSubmission> = {}): Promise<ApplicationSubmission> {
  const submission = applicationSubmission(bytes, rest);
  const upload = await store.createUploadPath();
  await writeFile(upload, bytes);
  await store.accept(submission, 'pending', upload);
  return submission;
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
