import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { Database } from '../database/database.ts';
import { isUnleased } from './leases.repository.ts';
import { normalizedEmail, PAGE, toRow, toSubmission } from './submission-row.ts';
import type { NewSubmission, ResumeFile, Submission, SubmissionState } from './submission.ts';

/** The largest number of rows in one INSERT. */
const BATCH = 64;

/** The submissions that an operator asks for. */
export interface Selection {
  readonly states: readonly SubmissionState[];
  /** Only those that were received longer than so many milliseconds ago. */
  readonly olderThan?: number;
  readonly email?: string;
  /** Only those that came into their state in this period, in milliseconds since the epoch. */
  readonly settledFrom?: number;
  readonly settledUntil?: number;
}

/**
 * Stores submissions in either database. The database is the only truth about them, since Redis can be lost at any
 * time. A change is durable when its promise resolves. Every method throws StorageUnavailableError while the database
 * is away.
 */
@Injectable()
export class SubmissionsRepository {
  /** The INSERT that is running; submissions that arrive meanwhile go into the next one together. */
  private inserting: Promise<unknown> = Promise.resolve();
  private readonly inserts: DataLoader<NewSubmission, boolean>;

  constructor(private readonly database: Database) {
    this.inserts = new DataLoader((batch) => (this.inserting = this.insertAll(batch)), {
      cache: false,
      maxBatchSize: BATCH,
      batchScheduleFn: (send) =>
        void this.inserting.then(
          () => setImmediate(send),
          () => setImmediate(send),
        ),
    });
  }

  /**
   * Stores a new submission.
   *
   * @returns false when one with this id exists, which is not changed
   */
  insert(submission: NewSubmission): Promise<boolean> {
    return this.inserts.load(submission);
  }

  async find(id: string): Promise<Submission | undefined> {
    const row = await this.database.run((db) =>
      db.selectFrom('submissions').selectAll().where('id', '=', id).executeTakeFirst(),
    );
    return row && toSubmission(row);
  }

  /** The keys of these submissions' files. */
  async resumeKeys(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.database.run((db) =>
      db.selectFrom('submissions').select('resume').where('id', 'in', ids).where('resume', 'is not', null).execute(),
    );
    return new Set(rows.map(({ resume }) => (JSON.parse(resume ?? '') as ResumeFile).key));
  }

  /**
   * Makes submissions pending again, with no attempts counted.
   *
   * @param from the states that they may be in
   * @returns the ids of those that are pending now
   */
  async requeue(
    ids: readonly string[],
    from: readonly SubmissionState[],
    { released = false } = {},
  ): Promise<string[]> {
    const rows = await this.database.run((db) =>
      db
        .updateTable('submissions')
        .set({ state: 'pending', state_since: this.database.now, next_attempt_at: 0, attempts: 0, alert_due: 0 })
        .$if(released, (update) => update.set({ released_at: this.database.now }))
        .where('id', 'in', ids)
        .where('state', 'in', from)
        .returning('id')
        .execute(),
    );
    return rows.map(({ id }) => id);
  }

  /** Reads what an operator asks for, page by page: by address, or else state by state. */
  async *select(selection: Selection): AsyncGenerator<Submission> {
    const parts = selection.email === undefined ? selection.states.map((state) => [state]) : [selection.states];
    for (const states of parts) {
      let page: Submission[] = [];
      do {
        page = await this.page({ ...selection, states }, page.at(-1));
        yield* page;
      } while (page.length === PAGE);
    }
  }

  /**
   * Deletes up to a page of submissions that have been in a state for longer than so many milliseconds.
   *
   * @returns what was deleted, so that the caller can remove the files
   */
  async deleteOlder(states: readonly SubmissionState[], olderThan: number): Promise<Submission[]> {
    const rows = await this.database.run((db) =>
      db
        .deleteFrom('submissions')
        .where('id', 'in', (inner) =>
          inner
            .selectFrom('submissions')
            .select('id')
            .where('state', 'in', states)
            .where('state_since', '<', this.database.fromNow(-olderThan))
            .limit(PAGE),
        )
        .returningAll()
        .execute(),
    );
    return rows.map(toSubmission);
  }

  /**
   * Erases submissions that are not leased, and keeps their ids and the time as proof.
   *
   * @param firstAt when they were erased before a backup brought them back, in milliseconds since the epoch; what was
   * received later stays
   * @returns what was erased, so that the caller can remove the files
   */
  async erase(ids: readonly string[], firstAt?: number): Promise<Submission[]> {
    return this.database.run((db) =>
      db.transaction().execute(async (transaction) => {
        const rows = await transaction
          .deleteFrom('submissions')
          .where((is) => is.and([is('id', 'in', ids), isUnleased(is, this.database)]))
          .$if(firstAt !== undefined, (query) => query.where('received_at', '<=', firstAt ?? 0))
          .returningAll()
          .execute();
        const proven = firstAt === undefined ? rows.map(({ id }) => id) : ids;
        const proofs = proven.map((id) => ({ id, erased_at: firstAt ?? this.database.now }));
        if (proofs.length > 0) {
          const insert = transaction.insertInto('erasures').values(proofs);
          await insert.onConflict((conflict) => conflict.doNothing()).execute();
        }
        return rows.map(toSubmission);
      }),
    );
  }

  private async page(selection: Selection, after?: Submission): Promise<Submission[]> {
    const { states, olderThan, email, settledFrom, settledUntil } = selection;
    const rows = await this.database.run((db) => {
      let query = db.selectFrom('submissions').selectAll().where('state', 'in', states).limit(PAGE);
      if (olderThan !== undefined) query = query.where('received_at', '<=', Date.now() - olderThan);
      if (settledFrom !== undefined) query = query.where('state_since', '>=', settledFrom);
      if (settledUntil !== undefined) query = query.where('state_since', '<=', settledUntil);
      // Each query uses the order of the index that it reads.
      if (email !== undefined) {
        query = query.where('email', '=', normalizedEmail(email));
        return query
          .where('id', '>', after?.id ?? '')
          .orderBy('id')
          .execute();
      }
      if (after) {
        const last = [Date.parse(after.since), after.id] as const;
        query = query.where(({ eb, refTuple, tuple }) => eb(refTuple('state_since', 'id'), '>', tuple(...last)));
      }
      return query.orderBy('state_since').orderBy('id').execute();
    });
    return rows.map(toSubmission);
  }

  private async insertAll(batch: readonly NewSubmission[]): Promise<boolean[]> {
    const now = Date.now();
    const inserted = await this.database.run((db) =>
      db
        .insertInto('submissions')
        .values(batch.map((submission) => toRow(submission, now)))
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id')
        .execute(),
    );
    const ids = new Set(inserted.map(({ id }) => id));
    // When a batch has two submissions with one id, the first one was stored.
    return batch.map(({ id }) => ids.delete(id));
  }
}
