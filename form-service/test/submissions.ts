import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { Database } from '../src/database/database.ts';
import type { ResumeFiles } from '../src/submissions/resume-files.ts';
import { randomSubmissionId } from '../src/submissions/submission-id.ts';
import type { ApplicationSubmission, ContactSubmission, NewSubmission } from '../src/submissions/submission.ts';
import type { SubmissionsRepository } from '../src/submissions/submissions.repository.ts';

export type NewEnquiry = Extract<NewSubmission, { form: 'contact' }>;
export type NewApplication = Extract<NewSubmission, { form: 'application' }>;

const base = () => ({
  id: randomSubmissionId(),
  quarantined: false,
  requestId: randomBytes(8).toString('hex'),
  contentDigest: randomBytes(32).toString('hex'),
  reasons: [],
});

/** An enquiry as the api would store it. */
export function newEnquiry(fields: Partial<NewEnquiry['fields']> = {}, rest: Partial<NewEnquiry> = {}): NewEnquiry {
  const preset = {
    name: 'Ada Example',
    email: 'ada@visitor.example',
    phone: '',
    service: 'Web Development',
    message: 'We need a new website.',
  };
  return {
    ...base(),
    form: 'contact',
    fields: { ...preset, ...fields } as NewEnquiry['fields'],
    ...rest,
  };
}

/** An application as the api would store it, for a file with these bytes. */
export function newApplication(bytes: Buffer, rest: Partial<NewApplication> = {}): NewApplication {
  const fields = {
    fullName: 'Ada Example',
    email: 'ada@visitor.example',
    phone: '',
    position: 'Android Developer',
    experience: '2 years',
    coverLetter: 'Hello!',
  };
  const resume = {
    name: 'résumé Ada.pdf',
    mediaType: 'application/pdf',
    size: bytes.length,
    sha256: sha256(bytes),
    key: '',
  };
  return { ...base(), form: 'application', fields, resume, ...rest };
}

/** Where a test stores what it needs. */
export interface Stores {
  readonly submissions: SubmissionsRepository;
  readonly files: ResumeFiles;
}

/** Stores without enqueueing, as an api does that dies right after its answer: the worker has to find it. @returns its id */
export async function storeEnquiry(
  { submissions }: Pick<Stores, 'submissions'>,
  fields: Partial<NewEnquiry['fields']> = {},
  rest: Partial<NewEnquiry> = {},
): Promise<string> {
  const enquiry = newEnquiry(fields, rest);
  await submissions.insert(enquiry);
  return enquiry.id;
}

/** The same for an application; its file is stored too. @returns its id */
export async function storeApplication(
  { submissions, files }: Stores,
  bytes: Buffer,
  rest: Partial<NewApplication> = {},
): Promise<string> {
  const application = newApplication(bytes, rest);
  const upload = await files.createUploadPath();
  await writeFile(upload, bytes);
  const key = await files.keep(upload, application.id);
  await submissions.insert({ ...application, resume: { ...application.resume, key } });
  return application.id;
}

/** A stored submission as templates get it, without a database. */
export function applicationSubmission(bytes: Buffer, rest: Partial<ApplicationSubmission> = {}): ApplicationSubmission {
  return { ...newApplication(bytes), ...stored(), form: 'application', ...rest };
}

export function contactSubmission(
  fields: Partial<NewEnquiry['fields']> = {},
  rest: Partial<Omit<ContactSubmission, 'resume'>> = {},
) {
  return { ...newEnquiry(fields), ...stored(), form: 'contact' as const, resume: null, ...rest };
}

function stored() {
  const now = Date.now();
  return {
    state: 'pending' as const,
    stateSince: now,
    receivedAt: now,
    attempts: 0,
    nextAttemptAt: 0,
    lastError: null,
    releasedAt: null,
    history: '',
  };
}

/** Makes a submission older than it is, in its state and since it was received. */
export function age(database: Database, id: string, ms: number): Promise<unknown> {
  return database.run((db) =>
    db
      .updateTable('submissions')
      .set((is) => ({ stateSince: is('stateSince', '-', ms), receivedAt: is('receivedAt', '-', ms) }))
      .where('id', '=', id)
      .execute(),
  );
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
