import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../database/database.ts';
import { searchable, searchTextOf } from '../database/search-text.ts';
import { HandlingRepository, type Arrival } from './handling.repository.ts';
import { historyOf } from './submission.ts';

/** Age at which an arrival is certainly committed, and found by its time. */
const SETTLED_MS = 5 * 60_000;

/**
 * Renews search texts that version 0.4 wrote, by the time of their arrival: they lack spellings. Processes of 0.4 store
 * new submissions, which are behind the position. A restore starts from the beginning. A later version can drop this.
 */
@Injectable()
export class SearchTexts {
  /** Number of rows after which a run ends, so that the worker has time for its other tasks. */
  runRows = 5_000;
  /** Pause of all workers after the beginning of a run, in milliseconds. */
  pauseMs = 50_000;

  constructor(
    private readonly database: Database,
    private readonly submissions: HandlingRepository,
  ) {}

  /** Renews the next texts, unless another worker has done so just now. @returns the number of changed rows */
  async renew(): Promise<number> {
    const now = await this.begin();
    if (now === undefined) return 0;
    const start = await this.position(now);
    let [read, renewed, last] = [0, 0, start];
    const pages = this.database.readPages((row?: Arrival) =>
      this.submissions.arrivals(row ?? { receivedAt: start, id: '' }),
    );
    for await (const rows of pages) {
      const outdated = rows.flatMap((row) => {
        const text = textOf(row);
        return text === row.searchText ? [] : [{ id: row.id, history: row.history, text }];
      });
      const changed = outdated.length > 0 ? (await this.submissions.setSearchTexts(outdated)).length : 0;
      renewed += changed;
      // Another write came first, of a note for example. The next run reads the page again.
      if (changed < outdated.length) break;
      last = rows.at(-1)?.receivedAt ?? last;
      // Rows of the same time are in one run, because the position is a time.
      if ((read += rows.length) >= this.runRows && last > start) break;
    }
    await this.proceed(Math.min(last, now - SETTLED_MS));
    return renewed;
  }

  /** Leases the pause of all workers. @returns the time by the database's clock; undefined if another one has the lease */
  private async begin(): Promise<number | undefined> {
    const [run] = await this.database.rows<{ at: number }>(sql`
      INSERT INTO last_runs (task, at) VALUES ('search texts lease', ${this.database.fromNow(this.pauseMs)})
      ON CONFLICT (task) DO UPDATE SET at = excluded.at WHERE ${this.database.isOver('last_runs.at', this.pauseMs)}
      RETURNING at`);
    return run && run.at - this.pauseMs;
  }

  private async position(now: number): Promise<number> {
    const [row] = await this.database.rows<{ at: number }>(sql`
      SELECT at FROM last_runs WHERE task = 'search texts' AND at <= ${now}`);
    return row?.at ?? 0;
  }

  private async proceed(position: number): Promise<void> {
    await this.database.rows(sql`
      INSERT INTO last_runs (task, at) VALUES ('search texts', ${position})
      ON CONFLICT (task) DO UPDATE SET at = excluded.at`);
  }
}

/** The search text of a submission, with the notes that it has. Version 0.4 has no others in the history. */
function textOf(row: Arrival): string {
  const notes = historyOf(row).flatMap(({ event, text }) => (event === 'note' && text !== undefined ? [text] : []));
  return [searchTextOf(row), ...notes.map(searchable)].join('\n');
}
