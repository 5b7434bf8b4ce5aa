import { Inject, Injectable, Logger } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { HealthService } from '../observability/health.service.ts';
import { Installation } from '../submissions/installation.service.ts';
import { ResumeFiles, submissionIdOf } from '../submissions/resume-files.ts';
import { UNDELIVERED_RETENTION_DAYS, type SubmissionState } from '../submissions/submission.ts';
import { PAGE, SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { AlertsService } from './alerts.service.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** A younger file without a submission may still get one, or be missed by somebody. */
export const ORPHAN_AGE_MS = 7 * DAY_MS;

/**
 * The share of all résumés that one clean-up may delete, and the number that it may delete where there are few. Crashes
 * leave single files without a submission; many of them mean that the database is not the one that they belong to.
 */
const ORPHANS_MAX_SHARE = 0.2;
const ORPHANS_MIN_ALLOWED = 3;

/** Deletes submissions whose retention time is over, and files that no submission names. */
@Injectable()
export class RetentionService {
  private readonly log = new Logger('Retention');

  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'RETENTION_DAYS'>,
    private readonly submissions: SubmissionsRepository,
    private readonly installation: Installation,
    private readonly files: ResumeFiles,
    private readonly alerts: AlertsService,
    private readonly health: HealthService,
  ) {
    health.expectTask('retention', 3 * HOUR_MS);
  }

  @Cron(CronExpression.EVERY_HOUR, { waitForCompletion: true })
  run(): Promise<void> {
    return this.health.runTask('retention', async () => {
      // It also finds out whether files can be deleted now: else their rows would be gone, and the files would stay.
      await this.installation.confirm();
      await this.submissions.tidyPending();
      await this.deleteOlder(['delivered'], this.settings.RETENTION_DAYS * DAY_MS);
      await this.deleteOlder(['failed', 'quarantined'], UNDELIVERED_RETENTION_DAYS * DAY_MS);
      await this.files.removeStaleUploads(HOUR_MS);
      await this.removeOrphans();
    });
  }

  /** Removes files without a submission: its row was never written, or was deleted. */
  async removeOrphans(olderThanMs = ORPHAN_AGE_MS): Promise<void> {
    const { orphans, total } = await findOrphans(this.files, this.submissions, olderThanMs);
    const isTooMany = orphans.length > Math.max(ORPHANS_MIN_ALLOWED, total * ORPHANS_MAX_SHARE);
    this.alerts.update('files-without-submission', isTooMany);
    if (isTooMany) return this.log.error({ event: 'files without a submission', count: orphans.length });
    for (const key of orphans) await this.files.remove(key);
    if (orphans.length > 0) this.log.log({ event: 'files without a submission', deleted: orphans.length });
  }

  /** Deletes in short steps, so that submissions which arrive meanwhile do not wait. */
  private async deleteOlder(states: readonly SubmissionState[], ageMs: number): Promise<void> {
    for (let deleted = PAGE; deleted === PAGE;) {
      const submissions = await this.submissions.deleteOlder(states, ageMs);
      for (const { resume } of submissions) if (resume) await this.files.remove(resume.key);
      deleted = submissions.length;
      if (deleted > 0) this.log.log({ event: 'retention', deleted });
    }
  }
}

/** The keys of files older than so much that no submission names, and the number of all files of ours. */
export async function findOrphans(
  files: ResumeFiles,
  submissions: SubmissionsRepository,
  olderThanMs: number,
): Promise<{ orphans: string[]; total: number }> {
  const orphans: string[] = [];
  const older: string[] = [];
  let total = 0;
  for await (const { key, modifiedAt } of files.list()) {
    total += 1;
    if (Date.now() - modifiedAt >= olderThanMs) older.push(key);
  }
  for (let at = 0; at < older.length; at += PAGE) {
    const page = older.slice(at, at + PAGE);
    const named = await submissions.resumeKeys(page.map(submissionIdOf));
    orphans.push(...page.filter((key) => !named.has(key)));
  }
  return { orphans, total };
}
