import { Injectable } from '@nestjs/common';
import type { RawBuilder, Selectable, Transaction } from 'kysely';
import { Database } from '../database/database.ts';
import type { ErasureCleanUpsTable, Schema, SubmissionRow } from '../database/schema.ts';

/** Keeps the tombstones of erased submissions, and the clean-up that must follow (see `ErasureService`). */
@Injectable()
export class ErasuresRepository {
  constructor(private readonly database: Database) {}

  /** Reads all erasures that are not complete. */
  incomplete(): Promise<Selectable<ErasureCleanUpsTable>[]> {
    return this.database.run((db) => db.selectFrom('erasureCleanUps').selectAll().execute());
  }

  /** Counts the erasures that are not complete. @returns also the time of the oldest one, in milliseconds since the epoch */
  async backlog(): Promise<{ readonly count: number; readonly since: number | undefined }> {
    const { count, since } = await this.database.run((db) =>
      db
        .selectFrom('erasureCleanUps')
        .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('since').as('since')])
        .executeTakeFirstOrThrow(),
    );
    return { count, since: since ?? undefined };
  }

  async fileRemoved(id: string): Promise<void> {
    await this.database.run((db) =>
      db.updateTable('erasureCleanUps').set({ fileKey: null }).where('id', '=', id).execute(),
    );
  }

  /** Completes those of these erasures whose file is removed. */
  async complete(ids: readonly string[]): Promise<void> {
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
