import { Gauge } from 'prom-client';
import { DAY_MS } from '../config/durations.ts';
import type { Database } from '../database/database.ts';
import { lastArchiveLacks, lastBackupAt } from '../database/last-runs.ts';
import type { Check } from '../observability/health.service.ts';
import type { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';

/** Age of a backup that raises an alert. */
const MAX_AGE_MS = 2 * DAY_MS;

const backupTime = new Gauge({
  name: 'kitewright_backup_last_success_timestamp_seconds',
  help: 'When the latest backup that is kept elsewhere was begun, in Unix time; no number before the first one',
});

/** Whether there is a backup that is new and complete enough. Before the first one, the first submission counts. */
export const backupCheck = (database: Database, search: SubmissionSearchRepository): Check => ({
  name: 'backup',
  needsStorage: true,
  alert: { kind: 'backup-old' },
  run: async () => {
    const at = await lastBackupAt(database);
    backupTime.set(at ? at.getTime() / 1_000 : Number.NaN);
    const since = at ?? (await search.oldestAt());
    const isOld = since !== undefined && Date.now() - since.getTime() > MAX_AGE_MS;
    if (at === undefined) {
      const cause = 'there is none yet';
      const advice = 'Set it up with docs/operations.md#back-up';
      return isOld ? { status: 'degraded', cause, advice } : { status: 'ok', advice: `${cause}. ${advice}` };
    }
    if (isOld)
      return {
        status: 'degraded',
        cause: `the latest that was kept elsewhere is ${Math.floor((Date.now() - at.getTime()) / DAY_MS)} days old`,
        advice: 'Check that cron runs the script of docs/operations.md#back-up, to its last line',
      };
    const lacks = await lastArchiveLacks(database);
    if (lacks === 0) return { status: 'ok' };
    const cause = `the latest lacks ${lacks} ${lacks === 1 ? 'résumé' : 'résumés'}`;
    return { status: 'degraded', cause, advice: 'See docs/operations.md#files-are-missing', affected: [] };
  },
});
