import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AlertsService } from './alerts/alerts.service.ts';
import { placeholdersIn, SETTINGS, type Settings } from './config/settings.ts';
import { Database } from './database/database.ts';
import { DeliveryQueue } from './delivery/delivery.queue.ts';
import { Mailer } from './mail/mailer.service.ts';
import { VirusScanner } from './delivery/virus-scanner.service.ts';
import type { Parts } from './health/checks.ts';
import { StorageHealth } from './health/storage-health.service.ts';
import { Log } from './observability/log.ts';
import { NotificationsRepository } from './outbox/notifications.repository.ts';
import { TaskRunner } from './outbox/task-runner.ts';
import { ErasuresRepository } from './submissions/erasures.repository.ts';
import { SubmissionSearchRepository } from './submissions/submission-search.repository.ts';
import { SubmissionsRepository } from './submissions/submissions.repository.ts';

/** Parts of a worker that its checks ask. */
@Injectable()
export class WorkerParts implements Partial<Parts>, OnApplicationBootstrap {
  readonly placeholders: readonly string[];

  constructor(
    @Inject(SETTINGS) readonly recipients: Settings,
    readonly alerts: AlertsService,
    readonly database: Database,
    readonly erasures: ErasuresRepository,
    readonly mailServer: Mailer,
    readonly notifications: NotificationsRepository,
    readonly queue: DeliveryQueue,
    readonly scanner: VirusScanner,
    readonly search: SubmissionSearchRepository,
    readonly storage: StorageHealth,
    readonly submissions: SubmissionsRepository,
    readonly tasks: TaskRunner,
  ) {
    this.placeholders = placeholdersIn(recipients);
  }

  onApplicationBootstrap(): void {
    for (const cause of this.placeholders) new Log('Checks').warn({ event: 'setting to fix', cause });
  }
}
