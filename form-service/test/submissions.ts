import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { Database } from '../src/database/database.ts';
import type { FileStorage } from '../src/files/file-storage.ts';
import type { SubmissionFile } from '../src/database/schema.ts';
import { keyedSubmissionId, type Lease, type NewSubmission, type Submission } from '../src/submissions/submission.ts';
import type { SubmissionsRepository } from '../src/submissions/submissions.repository.ts';
import { SERVICE } from './services.ts';

interface Enquiry {
  readonly fields: Readonly<Record<'name' | 'email' | 'phone' | 'service' | 'message', string>>;
}
interface Application {
  readonly fields: Readonly<Record<'fullName' | 'email' | 'phone' | 'position' | 'experience' | 'coverLetter', string>>;
  readonly resume: SubmissionFile;
}
export type NewEnquiry = NewSubmission & Enquiry;
export type NewApplication = NewSubmission & Application;
export type ContactSubmission = Submission & Enquiry;
export type ApplicationSubmission = Submission & Application;

/** Returns a reference of its own for a submission. */
export const randomSubmissionId = (): string => keyedSubmissionId('contact', randomUUID());

const base = () => ({
  id: randomSubmissionId(),
  quarantined: false,
  requestId: randomBytes(8).toString('hex'),
  contentDigest: randomBytes(32).toString('hex'),
  reasons: [],
});

/** Creates an enquiry as the api stores it. */
export function newEnquiry(fields: Partial<NewEnquiry['fields']> = {}, rest: Partial<NewEnquiry> = {}): NewEnquiry {
  const preset = {
    name: 'Ada Example',
    email: 'ada@visitor.example',
    phone: '',
    service: SERVICE,
    message: 'We need a new website.',
  };
  return {
    ...base(),
    form: 'contact',
    fields: { ...preset, ...fields } as NewEnquiry['fields'],
    ...rest,
  };
}

/** Creates an application as the api stores it, for a file with these bytes. */
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

/** Stores of a test. */
export interface Stores {
  readonly submissions: SubmissionsRepository;
  readonly files: FileStorage;
}

/** Stores an enquiry without a job, like an api that dies after its response. @returns its id */
export async function storeEnquiry(
  { submissions }: Pick<Stores, 'submissions'>,
  fields: Partial<NewEnquiry['fields']> = {},
  rest: Partial<NewEnquiry> = {},
): Promise<string> {
  const enquiry = newEnquiry(fields, rest);
  await submissions.insert(enquiry);
  return enquiry.id;
}

/** Stores an application with its file, without a job. @returns its id */
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

/** Overwrites the stored file of an application, as a fault of its storage does. */
export async function overwriteFile({ submissions, files }: Stores, id: string, bytes: Buffer): Promise<void> {
  const found = await submissions.find(id);
  const upload = await files.createUploadPath();
  await writeFile(upload, bytes);
  await files.store(upload, found?.resume?.key ?? '');
}

/** Creates a stored submission without a database. */
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
    handled: null,
    handledAt: null,
    handledBy: null,
    note: '',
    notedInHistory: '',
    recipient: null,
    takenBy: null,
    takenAt: null,
    labels: '',
    remindAt: null,
    version: 0,
  };
}

/** Moves the times of a submission into the past. @param stateMs offset of its state, if different */
export function age(database: Database, id: string, ms: number, stateMs = ms): Promise<unknown> {
  return database.run((db) =>
    db
      .updateTable('submissions')
      .set((is) => ({ stateSince: is('stateSince', '-', stateMs), receivedAt: is('receivedAt', '-', ms) }))
      .where('id', '=', id)
      .execute(),
  );
}

/** Overwrites columns of a submission, as a crash or another clock may have left them. */
export function setColumns(database: Database, id: string, columns: Record<string, unknown>): Promise<unknown> {
  return database.run((db) =>
    db
      .updateTable('submissions')
      .set(columns as never)
      .where('id', '=', id)
      .execute(),
  );
}

/** Deletes all submissions, tombstones and files. */
export async function clearStores(database: Database, files: FileStorage): Promise<void> {
  for (const table of ['submissions', 'erasures', 'erasureCleanUps'] as const)
    await database.run((db) => db.deleteFrom(table).execute());
  for await (const { key } of files.list()) await files.remove(key);
}

/** Leases a submission that is due. */
export async function leaseOf(submissions: SubmissionsRepository, id: string): Promise<Lease> {
  const lease = await submissions.acquire(id);
  if (!lease) throw new Error(`${id} cannot be leased`);
  return lease;
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
