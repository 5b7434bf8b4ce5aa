import { Database } from '../src/database/database.ts';
import { openFileStorage, type FileStorage } from '../src/files/file-storage.ts';
import type { SubmissionState } from '../src/submissions/submission.ts';
import { SubmissionsRepository } from '../src/submissions/submissions.repository.ts';
import {
  age,
  clearStores,
  storeApplication,
  storeEnquiry,
  type NewApplication,
  type NewEnquiry,
} from './submissions.ts';

/** State of a stored submission. */
interface StoredState {
  readonly state?: SubmissionState;
  readonly attempts?: number;
  readonly error?: string;
  /** Milliseconds since it was received and came into its state. */
  readonly ageMs?: number;
  readonly notifications?: NewEnquiry['notifications'];
}

/** A SQLite database and files in a folder, with helpers that store submissions. */
export class StoredSubmissions {
  private constructor(
    readonly database: Database,
    readonly submissions: SubmissionsRepository,
    readonly files: FileStorage,
    /** Variables for commands. Nothing listens on port 1. */
    readonly environment: Record<string, string>,
  ) {}

  static async open(folder: string): Promise<StoredSubmissions> {
    const settings = { DATABASE_URL: `file:${folder}/submissions.db` };
    const database = await Database.open(settings.DATABASE_URL);
    const environment = { ...settings, REDIS_URL: 'redis://127.0.0.1:1' };
    return new StoredSubmissions(
      database,
      new SubmissionsRepository(database),
      await openFileStorage(settings),
      environment,
    );
  }

  /** @returns its id */
  async enquiry(fields: Partial<NewEnquiry['fields']> = {}, outcome: StoredState = {}): Promise<string> {
    const quarantined = outcome.state === 'quarantined';
    return this.bringTo(
      await storeEnquiry(this, fields, {
        quarantined,
        reasons: quarantined ? ['links'] : [],
        ...(outcome.notifications && { notifications: outcome.notifications }),
      }),
      outcome,
    );
  }

  /** @returns its id */
  application(bytes = Buffer.alloc(1_000, 'x'), rest: Partial<NewApplication> = {}): Promise<string> {
    return storeApplication(this, bytes, rest);
  }

  async state(id: string): Promise<SubmissionState | undefined> {
    return (await this.submissions.find(id))?.state;
  }

  /** Returns all ids, sorted. */
  async ids(): Promise<string[]> {
    const rows = await this.database.run((db) => db.selectFrom('submissions').select('id').orderBy('id').execute());
    return rows.map(({ id }) => id);
  }

  /** Returns the ids of erased submissions, sorted. */
  async erasedIds(): Promise<string[]> {
    const rows = await this.database.run((db) => db.selectFrom('erasures').select('id').orderBy('id').execute());
    return rows.map(({ id }) => id);
  }

  clear(): Promise<void> {
    return clearStores(this.database, this.files);
  }

  private async bringTo(id: string, { state, attempts = 0, error, ageMs = 0 }: StoredState): Promise<string> {
    const lease = state === 'delivered' || state === 'failed' ? await this.submissions.acquire(id) : undefined;
    if (lease)
      await this.submissions.endLease(lease, {
        state: state as 'delivered' | 'failed',
        attempts,
        ...(error !== undefined && { error }),
      });
    if (ageMs > 0) await age(this.database, id, ageMs);
    return id;
  }
}
