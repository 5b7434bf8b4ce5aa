import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type * as DatabaseFile from '../../form-service/src/database/database.ts';
import type { SubmissionRow } from '../../form-service/src/database/schema.ts';
import type * as ResumesFile from '../../form-service/src/files/file-storage.ts';
import type * as RepositoryFile from '../../form-service/src/submissions/submissions.repository.ts';
import type { SubmissionState } from '../../form-service/src/submissions/submission.ts';

/** Locations of database and résumés. */
export type Storage = Readonly<Record<'DATABASE_URL' | 'RESUMES_URL', string>>;

const POLL_MS = 1_000;

/** Direct access to database and résumés, without the product. */
export class Records {
  private readonly database: DatabaseFile.Database;
  private readonly files: ResumesFile.FileStorage;

  private constructor(database: DatabaseFile.Database, files: ResumesFile.FileStorage) {
    this.database = database;
    this.files = files;
  }

  static async open(storage: Storage): Promise<Records> {
    const { Database } = await built<typeof DatabaseFile>('database/database.js');
    const { openFileStorage } = await built<typeof ResumesFile>('files/file-storage.js');
    return new Records(await Database.open(storage.DATABASE_URL), await openFileStorage(storage));
  }

  close(): Promise<void> {
    return this.database.close();
  }

  rows(): Promise<SubmissionRow[]> {
    return this.database.run((db) => db.selectFrom('submissions').selectAll().execute());
  }

  /** References of the submissions in these states. */
  async in(...states: readonly SubmissionState[]): Promise<string[]> {
    const rows = await this.database.run((db) =>
      db.selectFrom('submissions').select('id').where('state', 'in', states).execute(),
    );
    return rows.map(({ id }) => id);
  }

  /** References of the submissions whose résumé is missing or changed. */
  async withoutTheirFile(): Promise<string[]> {
    const wrong: string[] = [];
    for (const { id, resume } of await this.rows()) {
      if (resume && (await this.digestOf(resume).catch(() => undefined)) !== resume.sha256) wrong.push(id);
    }
    return wrong;
  }

  /**
   * Ends the waits of pending submissions, and returns the references in these states. A refused submission, or one whose
   * connection broke, is tried again after minutes only.
   */
  async inWithoutWaits(...states: readonly SubmissionState[]): Promise<string[]> {
    await this.database.run((db) =>
      db
        .updateTable('submissions')
        .set({ nextAttemptAt: 0 })
        .where('state', '=', 'pending')
        // Rewriting all rows each time would fill a small disk.
        .where('nextAttemptAt', '>', 0)
        .execute(),
    );
    return this.in(...states);
  }

  /** Makes failed submissions pending, like `submissions resend`. */
  async requeueFailed(references: readonly string[]): Promise<void> {
    const { SubmissionsRepository } = await built<typeof RepositoryFile>('submissions/submissions.repository.js');
    await new SubmissionsRepository(this.database).requeue(references, { from: ['failed'], event: 'sent again' });
  }

  /** Findings of SQLite's integrity check. PostgreSQL has no such check. */
  async damage(): Promise<string[]> {
    if (this.database.engine !== 'sqlite') return [];
    const { rows } = await this.database.run((db) =>
      sql<{ integrityCheck: string }>`PRAGMA integrity_check`.execute(db),
    );
    return rows.map(({ integrityCheck }) => integrityCheck).filter((line) => line !== 'ok');
  }

  private async digestOf(file: ResumesFile.FileFacts): Promise<string> {
    const digest = createHash('sha256');
    for await (const chunk of await this.files.open(file)) digest.update(chunk as Buffer);
    return digest.digest('hex');
  }
}

/** Polls until the list is empty, or has not become shorter for `stuckMs`, and returns it. */
export async function waitForNone(look: () => string[] | Promise<string[]>, stuckMs: number): Promise<string[]> {
  let [least, since] = [Infinity, performance.now()];
  for (;;) {
    const left = await look();
    if (left.length < least) [least, since] = [left.length, performance.now()];
    if (left.length === 0 || performance.now() - since > stuckMs) return left;
    await pause(POLL_MS);
  }
}

/** Imports the compiled module: the worker thread of SQLite cannot run TypeScript. */
function built<Module>(file: string): Promise<Module> {
  return import(new URL(`../../form-service/dist/${file}`, import.meta.url).href) as Promise<Module>;
}
