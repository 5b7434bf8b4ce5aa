import { Injectable } from '@nestjs/common';
import { sql, type Selectable } from 'kysely';
import { Database } from '../database/database.ts';
import { Leases } from '../database/leases.ts';
import type { ErasureCleanUpsTable, ErasuresTable } from '../database/schema.ts';
import type { Submission } from './submission.ts';
import { LEASE_MS } from './submissions.repository.ts';

/** An erasure that is not complete. */
export type ErasureCleanUp = Selectable<ErasureCleanUpsTable>;

/** Figures about erasures that are not complete. */
export interface ErasureBacklog {
  readonly count: number;
  /** Time of the oldest erasure, in milliseconds since the epoch. */
  readonly since: number | undefined;
}

/** Erases submissions, and keeps their tombstones and the clean-up that must follow (see `ErasureService`). */
@Injectable()
export class ErasuresRepository {
  private readonly leases: Leases;

  constructor(private readonly database: Database) {
    this.leases = new Leases(database, 'submissions', LEASE_MS);
  }

  /**
   * Deletes the rows of submissions that are not leased. The same transaction writes a tombstone for each and records the
   * clean-up, so a crash leaves no file and no copy behind.
   *
   * @param firstAt time of the first erasure in milliseconds since the epoch, if a restored backup has brought the rows
   * back. A row received later stays.
   * @returns the references of the erased submissions.
   */
  erase(ids: readonly string[], firstAt?: number): Promise<string[]> {
    return this.database.run((db) =>
      db.transaction().execute(async (transaction) => {
        const { rows: erased } = await sql<Pick<Submission, 'id' | 'resume'>>`
          DELETE FROM submissions WHERE id IN (${sql.join(ids)}) AND ${this.leases.isFree}
            AND received_at <= ${firstAt ?? Number.MAX_SAFE_INTEGER} RETURNING id, resume`.execute(transaction);
        const erasedIds = erased.map(({ id }) => id);
        const gone = firstAt === undefined ? erasedIds : ids;
        const tombstones = gone.map((id) => ({ id, erasedAt: firstAt ?? this.database.now }));
        if (tombstones.length > 0) {
          const insert = transaction.insertInto('erasures').values(tombstones);
          await insert.onConflict((conflict) => conflict.doNothing()).execute();
          await transaction.deleteFrom('acknowledgements').where('submissionId', 'in', ids).execute();
        }
        // A reference can be erased twice before its first file is removed, so each file has a row of its own.
        const cleanUps = erased.map(({ id, resume }) => ({
          id: resume?.key ?? id,
          resumeKey: resume?.key ?? null,
          since: this.database.now,
        }));
        if (cleanUps.length > 0) {
          const insert = transaction.insertInto('erasureCleanUps').values(cleanUps);
          await insert
            .onConflict((conflict) =>
              conflict.column('id').doUpdateSet(({ ref }) => ({ resumeKey: ref('excluded.resumeKey') })),
            )
            .execute();
        }
        return erasedIds;
      }),
    );
  }

  /** Reads all tombstones, sorted by reference. */
  async *tombstones(): AsyncGenerator<ErasuresTable> {
    let page: ErasuresTable[] = [];
    do {
      const last = page.at(-1) ?? { id: '', erasedAt: 0 };
      page = await this.database.run((db) =>
        db
          .selectFrom('erasures')
          .selectAll()
          .where(({ eb, refTuple, tuple }) => eb(refTuple('id', 'erasedAt'), '>', tuple(last.id, last.erasedAt)))
          .orderBy('id')
          .orderBy('erasedAt')
          .limit(this.database.pageRows)
          .execute(),
      );
      yield* page;
    } while (page.length === this.database.pageRows);
  }

  /** Reads all erasures that are not complete. */
  incomplete(): Promise<ErasureCleanUp[]> {
    return this.database.run((db) => db.selectFrom('erasureCleanUps').selectAll().execute());
  }

  async backlog(): Promise<ErasureBacklog> {
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
      db.updateTable('erasureCleanUps').set({ resumeKey: null }).where('id', '=', id).execute(),
    );
  }

  /** Completes those of these erasures whose file is removed. */
  async complete(ids: readonly string[]): Promise<void> {
    for (const page of this.database.pagesOf(ids))
      await this.database.run((db) =>
        db.deleteFrom('erasureCleanUps').where('id', 'in', page).where('resumeKey', 'is', null).execute(),
      );
  }
}
