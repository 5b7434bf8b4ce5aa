import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { HealthService } from '../observability/health.service.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { FORM_KINDS } from '../submissions/submission.ts';
import { Breakers } from './circuit-breaker.ts';
import { deliveryMetrics } from './delivery.metrics.ts';
import { DeliveryQueue } from './delivery.queue.ts';

/**
 * Each run adds at most so many submissions, and none to a queue that has this many jobs: what ten fast workers send in
 * a few seconds.
 */
const DUE_MAX = 2_000;

/**
 * Adds to the queue what is due: new submissions whose job was lost, those whose pause is over, and those whose worker
 * died. It reads the database, since Redis may be wiped at any time.
 */
@Injectable()
export class DueSubmissionsScheduler {
  constructor(
    private readonly submissions: SubmissionsRepository,
    private readonly queue: DeliveryQueue,
    private readonly breakers: Breakers,
    private readonly health: HealthService,
  ) {
    health.expectTask('due submissions', 60_000);
  }

  @Cron('*/2 * * * * *', { waitForCompletion: true })
  run(): Promise<void> {
    return this.health.runTask('due submissions', () => this.enqueueDue());
  }

  private async enqueueDue(): Promise<void> {
    const { mailServer, scanner } = this.breakers;
    if (mailServer.isOpen) return;
    const forms = scanner.isOpen ? FORM_KINDS.filter((form) => form !== 'application') : FORM_KINDS;
    const ids = await this.submissions.due(forms, DUE_MAX);
    if (ids.length === 0) return mailServer.succeeded();
    const { wait = 0 } = await this.queue.counts();
    if (wait >= DUE_MAX) return;
    await this.queue.addAll(ids);
    deliveryMetrics.enqueued.inc(ids.length);
  }
}
