import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AlertsService } from '../alerts/alerts.service.ts';
import { placeholdersIn, SETTINGS, type Settings } from '../config/settings.ts';
import { Database } from '../database/database.ts';
import { DeliveryQueue } from '../delivery/delivery.queue.ts';
import { MailServerStatus } from '../delivery/mail-server-status.service.ts';
import { VirusScanner } from '../delivery/virus-scanner.service.ts';
import { HealthService, type Check } from '../observability/health.service.ts';
import { Log } from '../observability/log.ts';
import { ErasuresRepository } from '../submissions/erasures.repository.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { NotificationsRepository } from '../outbox/notifications.repository.ts';
import { StorageHealth } from './storage-health.service.ts';
import { backupCheck } from './backup.ts';
import { deliveriesCheck, queueCheck } from './deliveries.ts';
import { erasuresCheck } from './erasures.ts';
import { mailServerCheck, refusalsCheck, scannerCheck } from './mail-server.ts';
import { notificationsCheck } from './notifications.ts';

/** All checks of a worker, except those of storage and tasks, which add themselves in both processes. */
@Injectable()
export class WorkerChecks implements OnApplicationBootstrap {
  private readonly log = new Log('Checks');
  private readonly placeholders: readonly string[];

  constructor(
    @Inject(SETTINGS) settings: Settings,
    health: HealthService,
    alerts: AlertsService,
    storage: StorageHealth,
    database: Database,
    queue: DeliveryQueue,
    mailServer: MailServerStatus,
    scanner: VirusScanner,
    submissions: SubmissionsRepository,
    search: SubmissionSearchRepository,
    notifications: NotificationsRepository,
    erasures: ErasuresRepository,
  ) {
    this.placeholders = placeholdersIn(settings);
    health.add(
      degradedBy('settings', () => this.placeholders),
      storage.diskCheck,
      backupCheck(database, search),
      queueCheck(queue),
      mailServerCheck(mailServer),
      scannerCheck(scanner),
      refusalsCheck(submissions, settings),
      deliveriesCheck(search),
      notificationsCheck(notifications),
      erasuresCheck(erasures),
      // Alerts that a task raises when it runs, such as those of digest and retention.
      degradedBy('alerts', () => alerts.activeKinds.filter((kind) => !ofChecks(health).has(kind))),
    );
  }

  onApplicationBootstrap(): void {
    for (const cause of this.placeholders) this.log.warn({ event: 'setting to fix', cause });
  }
}

const ofChecks = (health: HealthService) => new Set(health.checks.map(({ alert }) => alert?.kind));

const degradedBy = (name: string, causes: () => readonly string[]): Check => ({
  name,
  run: () => {
    const found = causes();
    return found.length === 0 ? { status: 'ok' } : { status: 'degraded', cause: found.join(', ') };
  },
});
