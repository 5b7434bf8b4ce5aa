import { Inject, Injectable } from '@nestjs/common';
import { DAY_MS } from '../config/durations.ts';
import { FORM_KINDS } from '../contract/forms.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { Database } from '../database/database.ts';
import { noteRetention, sinceRetention } from '../database/last-runs.ts';
import { Log } from '../observability/log.ts';
import { ErasureService } from './erasure.service.ts';
import { Installation } from './installation.service.ts';
import { FileStorage, findOrphans, ORPHAN_AGE_MS } from '../files/file-storage.ts';
import { STATUSES, UNDELIVERED_RETENTION_DAYS, type Expiring } from './submission.ts';
import { SubmissionsRepository } from './submissions.repository.ts';
import { SubmissionSearchRepository } from './submission-search.repository.ts';
import { AlertsService } from '../alerts/alerts.service.ts';

/**
 * Maximum share of all résumés that one run may delete as orphans. Crashes leave single orphans; many of them mean that
 * the files belong to another database.
 */
const ORPHANS_MAX_SHARE = 0.2;

/** Maximum share of all submissions that the first run after a pause may delete. */
const EXPIRED_MAX_SHARE = 0.2;

/** Deletes submissions past their retention time, and files that no submission names (orphans). */
@Injectable()
export class RetentionService {
  private readonly log = new Log('Retention');
  /** Number of orphans that one run may always delete. */
  orphansMinAllowed = 3;
  /** Number of submissions that the first run after a pause may always delete. */
  expiredMinAllowed = 50;

  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'RETENTION_DAYS'>,
    private readonly database: Database,
    private readonly submissions: SubmissionsRepository,
    private readonly search: SubmissionSearchRepository,
    private readonly installation: Installation,
    private readonly files: FileStorage,
    private readonly erasure: ErasureService,
    private readonly alerts: AlertsService,
  ) {}

  async run(): Promise<void> {
    // Fails if files cannot be deleted now. Otherwise rows would be deleted and their files would stay.
    await this.installation.confirm();
    await this.submissions.repairPending();
    await this.deleteExpired();
    await this.files.removeStaleUploads();
    await this.removeOrphans();
  }

  /** Completes erasures: removes files and copies of rows that could not be removed at once. */
  async completeErasures(): Promise<void> {
    await this.installation.confirm();
    await this.erasure.cleanUp();
  }

  /** Removes orphans: files whose row was never stored, or was deleted. */
  async removeOrphans(olderThanMs = ORPHAN_AGE_MS): Promise<void> {
    const { orphans, total } = await findOrphans(this.files, this.search, olderThanMs);
    const isTooMany = orphans.length > Math.max(this.orphansMinAllowed, total * ORPHANS_MAX_SHARE);
    this.alerts.update('files-without-submission', isTooMany);
    if (isTooMany) return this.log.error({ event: 'files without a submission', count: orphans.length });
    for (const key of orphans) await this.files.remove(key);
    if (orphans.length > 0) this.log.log({ event: 'files without a submission', deleted: orphans.length });
  }

  /**
   * Deletes submissions past their retention time. After a pause of more than a day it does not delete very many of them,
   * because the clock may have jumped ahead. The operator can allow it with `submissions erase --expired`.
   */
  private async deleteExpired(): Promise<void> {
    const expired = [
      [{ states: ['delivered'] }, this.settings.RETENTION_DAYS * DAY_MS],
      [{ mark: 'spam' }, this.settings.RETENTION_DAYS * DAY_MS],
      [{ states: ['failed', 'quarantined'] }, UNDELIVERED_RETENTION_DAYS * DAY_MS],
    ] as const;
    let count = 0;
    for (const [which, ageMs] of expired) count += await this.search.countOlder(which, ageMs);
    const isAfterPause = ((await sinceRetention(this.database)) ?? Infinity) > DAY_MS;
    const isStopped = isAfterPause && count > this.expiredMinAllowed && (await this.isLargeShare(count));
    this.alerts.update('retention-stopped', isStopped);
    if (isStopped) return this.log.error({ event: 'retention stopped', count });
    for (const [which, ageMs] of expired) await this.deleteOlder(which, ageMs);
    await noteRetention(this.database);
  }

  private async isLargeShare(count: number): Promise<boolean> {
    return count > EXPIRED_MAX_SHARE * (await this.search.count({ forms: FORM_KINDS, statuses: STATUSES }));
  }

  /** Deletes in short statements, so that new submissions do not wait. */
  private async deleteOlder(which: Expiring, ageMs: number): Promise<void> {
    for (let isMore = true; isMore;) {
      const submissions = await this.submissions.deleteOlder(which, ageMs);
      for (const { resume } of submissions) if (resume) await this.files.remove(resume.key);
      const deleted = submissions.length;
      if (deleted > 0) this.log.log({ event: 'retention', deleted });
      isMore = deleted === this.database.pageRows;
    }
  }
}
