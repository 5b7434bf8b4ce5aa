import { Inject, Injectable } from '@nestjs/common';
import { DAY_MS } from '../settings/durations.ts';
import { SETTINGS, type Settings } from '../settings/settings.ts';
import { Database } from '../database/database.ts';
import { Log } from '../observability/log.ts';
import { ErasureService } from './erasure.service.ts';
import { Installation } from './installation.service.ts';
import { FileStorage, findOrphans, ORPHAN_AGE_MS } from '../files/file-storage.ts';
import { UNDELIVERED_RETENTION_DAYS, type Expiring } from './submission.ts';
import { SubmissionsRepository } from './submissions.repository.ts';
import { SubmissionSearchRepository } from './submission-search.repository.ts';
import { AlertsService } from '../alerts/alerts.service.ts';

/**
 * Maximum share of all résumés that one run may delete as orphans. Crashes leave single orphans; many of them mean that
 * the files belong to another database.
 */
const ORPHANS_MAX_SHARE = 0.2;

/** Deletes submissions past their retention time, and files that no submission names (orphans). */
@Injectable()
export class RetentionService {
  private readonly log = new Log('Retention');
  /** Number of orphans that one run may always delete. */
  orphansMinAllowed = 3;

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
  private async removeOrphans(): Promise<void> {
    const { orphans, total } = await findOrphans(this.files, this.search, ORPHAN_AGE_MS);
    const isTooMany = orphans.length > Math.max(this.orphansMinAllowed, total * ORPHANS_MAX_SHARE);
    this.alerts.update('files-without-submission', isTooMany);
    if (isTooMany) return this.log.error({ event: 'files without a submission', count: orphans.length });
    for (const key of orphans) await this.files.remove(key);
    if (orphans.length > 0) this.log.log({ event: 'files without a submission', deleted: orphans.length });
  }

  /** Deletes submissions past their retention time, by the database's clock. */
  private async deleteExpired(): Promise<void> {
    const { RETENTION_DAYS } = this.settings;
    await this.deleteOlder({ states: ['delivered'] }, RETENTION_DAYS * DAY_MS);
    await this.deleteOlder({ mark: 'spam' }, RETENTION_DAYS * DAY_MS);
    await this.deleteOlder({ states: ['failed', 'quarantined'] }, UNDELIVERED_RETENTION_DAYS * DAY_MS);
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
