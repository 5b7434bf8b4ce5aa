import { Injectable } from '@nestjs/common';
import type { RawBuilder, Transaction } from 'kysely';
import { Database } from '../database/database.ts';
import type { Schema, SubmissionRow } from '../database/schema.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { Log } from '../observability/log.ts';
import { FileStorage, submissionIdOf } from '../files/file-storage.ts';

/** Number of failed removals after which a clean-up stops, because an unavailable storage answers slowly. */
const FILE_FAILURES_MAX = 3;

/** Completes erasures: removes résumés of erased submissions, and the copies of rows that SQLite leaves in its files. */
@Injectable()
export class ErasureService {
  private readonly log = new Log('Erasure');

  constructor(
    private readonly database: Database,
    private readonly files: FileStorage,
  ) {}

  /** Removes files and copies of incomplete erasures, as far as possible now. @returns whether all are complete */
  async cleanUp(): Promise<boolean> {
    const incomplete = await this.database.run((db) => db.selectFrom('erasureCleanUps').selectAll().execute());
    if (incomplete.length === 0) return true;
    let failures = 0;
    for (const { id, fileKey } of incomplete)
      if (fileKey !== null && failures < FILE_FAILURES_MAX && !(await this.removeFile(id, fileKey))) failures++;
    const cause = await this.database.removeCopies();
    if (cause === undefined) await this.complete(incomplete.map(({ id }) => id));
    else this.log.warn({ event: 'copies of erased rows may remain', count: incomplete.length, cause });
    return failures === 0 && cause === undefined;
  }

  /** Counts the erasures that are not complete. @returns also the time of the oldest one, in milliseconds since the epoch */
  backlog(): Promise<{ readonly count: number; readonly since: number | null }> {
    return this.database.run((db) =>
      db
        .selectFrom('erasureCleanUps')
        .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('since').as('since')])
        .executeTakeFirstOrThrow(),
    );
  }

  /** @returns false if the file cannot be removed now */
  private async removeFile(id: string, key: string): Promise<boolean> {
    try {
      await this.files.remove(key);
    } catch (error) {
      if (!(error instanceof StorageUnavailableError)) throw error;
      const [reference, cause] = [submissionIdOf(key), error.message];
      this.log.warn({ event: 'file of an erased submission remains', reference, cause });
      return false;
    }
    await this.database.run((db) =>
      db.updateTable('erasureCleanUps').set({ fileKey: null }).where('id', '=', id).execute(),
    );
    return true;
  }

  /** Completes those of these erasures whose file is removed. */
  private async complete(ids: readonly string[]): Promise<void> {
    for (const page of this.database.pagesOf(ids))
      await this.database.run((db) =>
        db.deleteFrom('erasureCleanUps').where('id', 'in', page).where('fileKey', 'is', null).execute(),
      );
  }
}

/**
 * Writes tombstones, and records the clean-up of deleted rows, in the transaction that deletes them.
 *
 * @param ids references that get a tombstone
 * @param at time of the erasure
 */
export async function recordErasure(
  transaction: Transaction<Schema>,
  ids: readonly string[],
  at: number | RawBuilder<number>,
  deleted: readonly Pick<SubmissionRow, 'id' | 'resume'>[],
  now: RawBuilder<number>,
): Promise<void> {
  if (ids.length > 0) {
    const insert = transaction.insertInto('erasures').values(ids.map((id) => ({ id, erasedAt: at })));
    await insert.onConflict((conflict) => conflict.doNothing()).execute();
    await transaction.deleteFrom('acknowledgements').where('submissionId', 'in', ids).execute();
  }
  // A reference can be erased twice before its first file is removed, so each file has a row of its own.
  const cleanUps = deleted.map(({ id, resume }) => ({
    id: resume?.key ?? id,
    fileKey: resume?.key ?? null,
    since: now,
  }));
  if (cleanUps.length === 0) return;
  const insert = transaction.insertInto('erasureCleanUps').values(cleanUps);
  await insert
    .onConflict((conflict) => conflict.column('id').doUpdateSet(({ ref }) => ({ fileKey: ref('excluded.fileKey') })))
    .execute();
}
