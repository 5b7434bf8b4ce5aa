import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { register } from 'prom-client';
import { StoredSubmissions } from '../../test/stored-submissions.ts';
import { age } from '../../test/submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { DAY_MS } from '../settings/durations.ts';
import { noteArchive, noteBackup } from '../database/properties.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { checksFor } from './checks.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let stored: StoredSubmissions;
beforeEach(async () => {
  folder = await temporaryFolder();
  stored = await StoredSubmissions.open(folder.path);
});
afterEach(async () => {
  await stored.database.close();
  await folder.remove();
});

/** Runs the check with this name. */
function resultOf(wanted: string) {
  const { database } = stored;
  return checksFor({ database, search: new SubmissionSearchRepository(database) })
    .find(({ name }) => name === wanted)
    ?.run();
}

it.each([
  ['there is none', 0.1, undefined, 0, { status: 'ok', advice: expect.stringContaining('there is none yet') }],
  ['there is none', 2.1, undefined, 0, { status: 'degraded', cause: 'there is none yet' }],
  ['the latest is new', 30, 1.9, 0, { status: 'ok' }],
  ['it is old', 30, 3, 0, { status: 'degraded', cause: 'the latest that was kept elsewhere is 3 days old' }],
  ['it lacks files', 30, 0, 3, { status: 'degraded', cause: 'files that the latest lacks: 3', affected: [] }],
])('check of the backup > %s > %d days after the first submission', async (_, days, old, missing, expected) => {
  await age(stored.database, await stored.enquiry(), days * DAY_MS);
  await stored.enquiry();
  if (old !== undefined) {
    await noteArchive(stored.database, new Date(Date.now() - old * DAY_MS), missing);
    await noteBackup(stored.database);
  }
  expect(await resultOf('backup')).toMatchObject(expected);
});

describe('checks of the database', () => {
  it('sets the figures of what is not delivered', async () => {
    await stored.enquiry({}, { state: 'failed' });
    for (const state of ['quarantined', 'quarantined'] as const) await stored.enquiry({}, { state });
    const [late] = [await stored.enquiry(), await stored.enquiry()];
    await age(stored.database, late, 6 * 60_000);
    expect(await resultOf('deliveries')).toEqual({
      status: 'degraded',
      cause: '1 failed, 1 overdue',
      affected: [late],
    });
    const metrics = await register.metrics();
    for (const [state, count] of Object.entries({ pending: 2, failed: 1, quarantined: 2 }))
      expect(metrics).toContain(`kitewright_submissions{state="${state}"} ${count}\n`);
  });
});
