import { Inject, Injectable, Logger } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { TaskHealth } from '../observability/task-health.service.ts';
import { ResumeFiles, submissionIdOf } from '../submissions/resume-files.ts';
import type { SubmissionState } from '../submissions/submission.ts';
import { PAGE, SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { DeliveryMetrics } from './delivery.metrics.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** A failed or quarantined submission that nobody dealt with is deleted after so many days. */
export const UNDELIVERED_RETENTION_DAYS = 90;

/** Deletes submissions whose retention time is over, and files that no submission names. */
@Injectable()
export class RetentionService {
  private readonly log = new Logger('Retention');

  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'RETENTION_DAYS'>,
    private readonly submissions: SubmissionsRepository,
    private readonly files: ResumeFiles,
    private readonly metrics: DeliveryMetrics,
    private readonly tasks: TaskHealth,
  ) {
    this.tasks.expect('retention', 3 * HOUR_MS);
  }

  @Cron(CronExpression.EVERY_HOUR, { waitForCompletion: true })
  run(): Promise<void> {
    return this.tasks.run('retention', async () => {
      await this.submissions.resetFutureAttempts();
      await this.deleteOlder(['delivered'], this.settings.RETENTION_DAYS * DAY_MS);
      await this.deleteOlder(['failed', 'quarantined'], UNDELIVERED_RETENTION_DAYS * DAY_MS);
      await this.files.removeStaleUploads(HOUR_MS);
      await this.removeOrphans();
    });
  }

  /** Deletes in short steps, so that submissions which arrive meanwhile do not wait. */
  private async deleteOlder(states: readonly SubmissionState[], ageMs: number): Promise<void> {
    for (let deleted = PAGE; deleted === PAGE;) {
      const submissions = await this.submissions.deleteOlder(states, ageMs);
      for (const submission of submissions)
        if (submission.form === 'application') await this.files.remove(submission.resume.key);
      deleted = submissions.length;
      this.metrics.retentionDeleted.inc(deleted);
      if (deleted > 0) this.log.log({ event: 'retention', deleted });
    }
  }

  /**
   * Removes files whose row was never written, or was deleted. A recent file may belong to a submission that is being
   * accepted.
   */
  private async removeOrphans(): Promise<void> {
    let keys: string[] = [];
    const removePage = async () => {
      const named = await this.submissions.resumeKeys(keys.map(submissionIdOf));
      for (const key of keys) if (!named.has(key)) await this.files.remove(key);
      keys = [];
    };
    for await (const { key, modifiedAt } of this.files.list()) {
      if (Date.now() - modifiedAt < HOUR_MS) continue;
      keys.push(key);
      if (keys.length === PAGE) await removePage();
    }
    if (keys.length > 0) await removePage();
  }
}
