import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { Contact } from '../src/contract/contact.ts';
import { Database } from '../src/database/database.ts';
import { openResumeFiles, type ResumeFiles } from '../src/submissions/resume-files.ts';
import { randomSubmissionId } from '../src/submissions/submission-id.ts';
import type { SubmissionState } from '../src/submissions/submission.ts';
import { SubmissionsRepository } from '../src/submissions/submissions.repository.ts';

interface Outcome {
  readonly state?: SubmissionState;
  readonly id?: string;
  readonly attempts?: number;
  readonly error?: string;
  /** How long ago it was received and came into its state, in milliseconds. */
  readonly age?: number;
}

/** A database of its own in a folder, and the ways in which submissions come into it. */
export class StoredSubmissions {
  private constructor(
    readonly database: Database,
    readonly repository: SubmissionsRepository,
    readonly files: ResumeFiles,
    /** What a command needs to find it; nothing listens on port 1. */
    readonly environment: Record<string, string>,
  ) {}

  static async open(folder: string): Promise<StoredSubmissions> {
    const settings = { DATABASE_URL: `file:${folder}/submissions.db` };
    const database = await Database.open(settings.DATABASE_URL);
    const environment = { ...settings, REDIS_URL: 'redis://127.0.0.1:1' };
    return new StoredSubmissions(database, new SubmissionsRepository(database), await openResumeFiles(settings), environment);
  }

  /** An enquiry. @returns its id */
  async enquiry(fields: Partial<Contact> = {}, outcome: Outcome = {}): Promise<string> {
    const preset = { name: 'Ada Example', email: 'ada@visitor.example', phone: '', service: 'Web Development', message: 'A new website.' };
    const id = outcome.id ?? randomSubmissionId();
    await this.repository.insert({ ...this.base(id, outcome), form: 'contact', canary: false, fields: { ...preset, ...fields } as Contact });
    await this.bringTo(id, outcome);
    return id;
  }

  /** An application with these bytes as its résumé. @returns its id */
  async application(bytes = randomBytes(1_000), outcome: Outcome = {}, email = 'ada@visitor.example'): Promise<string> {
    const id = outcome.id ?? randomSubmissionId();
    const upload = await this.files.createUploadPath();
    await writeFile(upload, bytes);
    const key = await this.files.keep(upload, id);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const fields = { fullName: 'Ada Example', email, phone: '', position: 'Android Developer', experience: '2 years', coverLetter: 'Hello!' };
    const resume = { name: 'résumé Ada.pdf', mediaType: 'application/pdf', size: bytes.length, sha256, key, warnings: [] };
    await this.repository.insert({ ...this.base(id, outcome), form: 'application', fields: fields as never, resume });
    await this.bringTo(id, outcome);
    return id;
  }

  async state(id: string): Promise<SubmissionState | undefined> {
    return (await this.repository.find(id))?.state;
  }

  /** Removes everything. */
  async clear(): Promise<void> {
    await this.database.run((db) => db.deleteFrom('submissions').execute());
    await this.database.run((db) => db.deleteFrom('erasures').execute());
    for await (const { key } of this.files.list()) await this.files.remove(key);
  }

  private base(id: string, { state }: Outcome) {
    const contentDigest = randomBytes(32).toString('hex');
    return { id, requestId: 'request', contentDigest, reasons: state === 'quarantined' ? ['links'] : [], quarantined: state === 'quarantined' };
  }

  private async bringTo(id: string, { state = 'pending', attempts = 0, error, age = 0 }: Outcome): Promise<void> {
    if (state === 'delivered' || state === 'failed') {
      const lease = await this.repository.lease(id);
      if (lease) await this.repository.settle(lease, { state, attempts, ...(error !== undefined && { error }) });
    }
    if (age === 0) return;
    const time = Date.now() - age;
    await this.database.run((db) =>
      db.updateTable('submissions').set({ received_at: time, state_since: time }).where('id', '=', id).execute(),
    );
  }
}

/** Every id that is stored, sorted. */
export async function storedIds(database: Database): Promise<string[]> {
  const rows = await database.run((db) => db.selectFrom('submissions').select('id').orderBy('id').execute());
  return rows.map(({ id }) => id);
}
