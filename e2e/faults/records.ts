import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type * as DatabaseFile from '../../form-service/src/database/database.ts';
import type { SubmissionRow } from '../../form-service/src/database/schema.ts';
import type * as ResumesFile from '../../form-service/src/submissions/resume-files.ts';
import type * as RepositoryFile from '../../form-service/src/submissions/submissions.repository.ts';
import type { SubmissionState } from '../../form-service/src/submissions/submission.ts';

/** The variables that say where everything is. */
export type Storage = Readonly<Record<'DATABASE_URL' | 'RESUMES_URL', string>>;

const LOOK_MS = 1_000;

/** What the database and the folder of résumés hold, seen without the product. */
export class Records {
  private readonly database: DatabaseFile.Database;
  private readonly files: ResumesFile.ResumeFiles;

  private constructor(database: DatabaseFile.Database, files: ResumesFile.ResumeFiles) {
    this.database = database;
    this.files = files;
  }

  static async open(storage: Storage): Promise<Records> {
    const { Database } = await built<typeof DatabaseFile>('database/database.js');
    const { openResumeFiles } = await built<typeof ResumesFile>('submissions/resume-files.js');
    return new Records(await Database.open(storage.DATABASE_URL), await openResumeFiles(storage));
  }

  close(): Promise<void> {
    return this.database.close();
  }

  /** Every submission. */
  rows(): Promise<SubmissionRow[]> {
    return this.database.run((db) => db.selectFrom('submissions').selectAll().execute());
  }

  /** References of the submissions in a state. */
  async in(...states: readonly SubmissionState[]): Promise<string[]> {
    const rows = await this.database.run((db) =>
      db.selectFrom('submissions').select('id').where('state', 'in', states).execute(),
    );
    return rows.map(({ id }) => id);
  }

  /** References of the submissions whose résumé is not there, or not the one that was accepted. */
  async withoutTheirFile(): Promise<string[]> {
    const wrong: string[] = [];
    for (const { id, resume } of await this.rows()) {
      if (resume && (await this.digestOf(resume.key).catch(() => undefined)) !== resume.sha256) wrong.push(id);
    }
    return wrong;
  }

  /** Makes what failed pending again, as the operator's resend does. */
  async requeueFailed(references: readonly string[]): Promise<void> {
    const { SubmissionsRepository } = await built<typeof RepositoryFile>('submissions/submissions.repository.js');
    await new SubmissionsRepository(this.database).requeue(references, ['failed']);
  }

  /** What SQLite itself finds wrong; PostgreSQL has no such question. */
  async damage(): Promise<string[]> {
    if (this.database.engine !== 'sqlite') return [];
    const { rows } = await this.database.run((db) =>
      sql<{ integrityCheck: string }>`PRAGMA integrity_check`.execute(db),
    );
    return rows.map(({ integrityCheck }) => integrityCheck).filter((line) => line !== 'ok');
  }

  /** Keeps everybody else from writing for a while. */
  async lock(forMs: number): Promise<void> {
    await this.database.run((db) =>
      db.transaction().execute(async (transaction) => {
        if (this.database.engine === 'postgres') await sql`LOCK TABLE submissions`.execute(transaction);
        await pause(forMs);
      }),
    );
  }

  private async digestOf(key: string): Promise<string> {
    const digest = createHash('sha256');
    for await (const chunk of await this.files.open(key)) digest.update(chunk as Buffer);
    return digest.digest('hex');
  }
}

/** Looks until there is none. What is still there when it has not become less for so long is returned. */
export async function waitForNone(look: () => string[] | Promise<string[]>, stuckMs: number): Promise<string[]> {
  let [least, since] = [Infinity, performance.now()];
  for (;;) {
    const left = await look();
    if (left.length < least) [least, since] = [left.length, performance.now()];
    if (left.length === 0 || performance.now() - since > stuckMs) return left;
    await pause(LOOK_MS);
  }
}

/** From source SQLite's thread would need a loader of its own. */
function built<Module>(file: string): Promise<Module> {
  return import(new URL(`../../form-service/dist/${file}`, import.meta.url).href) as Promise<Module>;
}
