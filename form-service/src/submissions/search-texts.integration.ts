import { beforeEach, expect, jest } from '@jest/globals';
import { sql } from 'kysely';
import { FORM_KINDS } from '../contract/forms.ts';
import { describeEachEngine } from '../../test/each-engine.ts';
import { newApplication, setColumns, storeEnquiry } from '../../test/submissions.ts';
import type { Database } from '../database/database.ts';
import { HandlingRepository } from './handling.repository.ts';
import { searchTermsOf } from './search-terms.ts';
import { SearchTexts } from './search-texts.service.ts';
import { STATUSES } from './submission.ts';
import { SubmissionSearchRepository } from './submission-search.repository.ts';
import { SubmissionsRepository } from './submissions.repository.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describeEachEngine('SearchTexts > %s', (engine) => {
  const { it } = engine;
  let database: Database;
  let submissions: SubmissionsRepository;

  beforeEach(async () => {
    database = await engine.open();
    submissions = new SubmissionsRepository(database);
  });

  /** A worker, whose runs need no pause. */
  const worker = (on = database, runRows = 1, pauseMs = 0) =>
    Object.assign(new SearchTexts(on, new HandlingRepository(on)), { runRows, pauseMs });

  const find = async (query: string) => {
    const ids: string[] = [];
    const all = { forms: FORM_KINDS, statuses: STATUSES };
    const found = new SubmissionSearchRepository(database).positions(all, searchTermsOf(query));
    for await (const { id } of found) ids.push(id);
    return ids.toSorted();
  };

  /** Stores an enquiry as version 0.4 does, which arrived so long ago. */
  const store04 = async (name: string, agoMs: number, searchText: string | null = `\n${name.toUpperCase()}`) => {
    const id = await storeEnquiry({ submissions }, { name, email: 'x@visitor.example', message: 'x' });
    await setColumns(database, id, { searchText, receivedAt: Date.now() - agoMs });
    return id;
  };

  const textsOf = () => database.rows(sql`SELECT id, search_text FROM submissions ORDER BY id`);

  it.each([1, 2, 3, 4, 500])('renews each text once, and keeps old terms > a page has %i rows', async (pageRows) => {
    database.pageRows = pageRows;
    const old = [];
    for (let ago = 0; ago < 3; ago++) old.push(await store04('O\u2019Neill', HOUR_MS));
    old.push(await store04('O\u2019Neill', HOUR_MS - 1, null));
    await database.rows(sql`UPDATE submissions SET received_at = 5 WHERE search_text IS NOT NULL`);
    const counts: number[] = [];
    for (let run = 0; run < 4; run++) {
      expect((await find('o\u2019neill')).length).toBeGreaterThanOrEqual(3);
      counts.push(await worker().renew());
    }
    expect([counts.reduce((sum, count) => sum + count), counts.at(-1)]).toEqual([4, 0]);
    expect([await find("o'neill"), await find('o\u2019neill')]).toEqual([old.toSorted(), old.toSorted()]);
  });

  it('writes the texts of arrivals, and those of notes', async () => {
    const handling = new HandlingRepository(database);
    const ids = [await storeEnquiry({ submissions }, { name: 'Guðrún', phone: '+44 (0)20 5550 109' })];
    const application = newApplication(Buffer.alloc(1));
    await submissions.insert(application);
    ids.push(application.id);
    for (const id of ids) for (const note of ['Called Müßigbrodt.', 'Again.']) await handling.addNote(id, note, 'ada');
    const written = await textsOf();
    await database.rows(sql`UPDATE submissions SET search_text = 'OLD'`);
    expect([await worker().renew(), await textsOf()]).toEqual([2, written]);
    expect(await worker().renew()).toBe(0);
  });

  it('leaves a note to be copied > a process of version 0.4 wrote it', async () => {
    const id = await store04('O\u2019Neill', HOUR_MS);
    await setColumns(database, id, { note: 'Wants a kite-festival.' });
    await worker().renew();
    await new HandlingRepository(database).copyNotes();
    await worker().renew();
    expect([await find("o'neill kitefestival"), (await find('x')).length]).toEqual([[id], 1]);
    const [{ count } = { count: 0 }] = await database.rows<{ count: number }>(sql`
      SELECT length(search_text) - length(replace(search_text, 'WANTS', '')) AS count FROM submissions`);
    expect(count).toBe('WANTS'.length);
  });

  it('renews what 0.4 stores during an update, and after it was used again', async () => {
    await store04('Mary O\u2019Neill', 2 * HOUR_MS);
    for (let run = 0; run < 3; run++) await worker().renew();
    const late = await store04('Sue O\u2019Neill', MINUTE_MS);
    expect(await find("sue o'neill")).toEqual([]);
    for (let run = 0; run < 3; run++) await worker().renew();
    expect(await find("sue o'neill")).toEqual([late]);
  });

  it('starts again > the stored position is later than now', async () => {
    const id = await store04('O\u2019Neill', HOUR_MS);
    await database.rows(sql`
      INSERT INTO last_runs (task, at) VALUES ('search texts', ${Date.now() + HOUR_MS})`);
    await worker().renew();
    expect(await find("o'neill")).toEqual([id]);
  });

  it('continues after a run that failed', async () => {
    const ids = [await store04('O\u2019Neill', 3 * HOUR_MS), await store04('O\u2019Neill', 2 * HOUR_MS)];
    database.pageRows = 1;
    const rows = database.rows.bind(database);
    const failing = jest.spyOn(database, 'rows').mockImplementation((statement) => {
      if (failing.mock.calls.length > 4) throw new Error('The database is gone.');
      return rows(statement);
    });
    await expect(worker(database, 9).renew()).rejects.toThrow('gone');
    failing.mockRestore();
    for (let run = 0; run < 3; run++) await worker().renew();
    expect(await find("o'neill")).toEqual(ids.toSorted());
  });

  it('keeps a note that is saved meanwhile', async () => {
    const id = await store04('O\u2019Neill', HOUR_MS);
    const handling = new HandlingRepository(database);
    const ids = database.ids.bind(database);
    const writing = jest.spyOn(database, 'ids').mockImplementation(async (statement) => {
      writing.mockRestore();
      await handling.addNote(id, 'Wants kites.', 'ada');
      return ids(statement);
    });
    expect(await worker().renew()).toBe(0);
    expect(await worker().renew()).toBe(1);
    expect(await find("o'neill kites")).toEqual([id]);
  });

  it('runs in one of two workers at a time', async () => {
    await store04('O\u2019Neill', HOUR_MS);
    const other = await engine.open();
    const counts = await Promise.all([worker(database, 1, MINUTE_MS).renew(), worker(other, 1, MINUTE_MS).renew()]);
    expect(counts.toSorted()).toEqual([0, 1]);
    await database.rows(sql`UPDATE submissions SET search_text = 'OLD'`);
    expect(await worker(other, 1, MINUTE_MS).renew()).toBe(0);
    // The lease of a worker that died is over in time.
    await database.rows(sql`UPDATE last_runs SET at = ${database.fromNow(-1)} WHERE task = 'search texts lease'`);
    await database.rows(sql`UPDATE last_runs SET at = 0 WHERE task = 'search texts'`);
    expect(await worker(other, 1, MINUTE_MS).renew()).toBe(1);
  });

  it('ends a run after its number of rows', async () => {
    database.pageRows = 2;
    for (let ago = 9; ago > 0; ago--) await store04('O\u2019Neill', ago * HOUR_MS);
    const counts: number[] = [];
    for (let run = 0; run < 4; run++) counts.push(await worker(database, 4).renew());
    // Each run begins with the last row of the one before.
    expect(counts).toEqual([4, 3, 2, 0]);
  });
});
