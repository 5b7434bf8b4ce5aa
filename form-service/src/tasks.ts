import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HOUR_MS, MINUTE_MS } from './settings/durations.ts';
import { Monitor } from './health/monitor.service.ts';
import { DeliveryProcessor } from './delivery/delivery.processor.ts';
import { Mailer } from './mail/mailer.service.ts';
import { DigestService } from './delivery/digest.service.ts';
import { RetentionService } from './submissions/retention.service.ts';
import { Acknowledgement } from './delivery/acknowledgement.service.ts';
import { NotificationsService } from './delivery/notifications.service.ts';
import { Webhook } from './delivery/webhook.service.ts';
import { ATTEMPT_MAX_MS } from './outbox/attempt.ts';
import { TaskRunner, type Task } from './outbox/task-runner.ts';
import { StorageHealth } from './health/storage-health.service.ts';

const SECOND_MS = 1_000;

/** Longer than any attempt, because a slow mail server is not a fault of the service. */
const SENDING_MS = ATTEMPT_MAX_MS + 5 * MINUTE_MS;
const SENDING = { everyMs: 2 * SECOND_MS, stalledAfterMs: SENDING_MS };

/** Everything that a worker does periodically. Each sender has its own task, so that none delays the others. */
@Injectable()
export class WorkerTasks implements OnApplicationBootstrap {
  readonly tasks: readonly Task[];

  constructor(
    private readonly runner: TaskRunner,
    storage: StorageHealth,
    processor: DeliveryProcessor,
    notifications: NotificationsService,
    acknowledgement: Acknowledgement,
    webhook: Webhook,
    digest: DigestService,
    retention: RetentionService,
    monitor: Monitor,
    mailer: Mailer,
  ) {
    this.tasks = [
      { name: 'due submissions', everyMs: 2 * SECOND_MS, stalledAfterMs: MINUTE_MS, run: () => processor.addDue() },
      { name: 'acknowledgement', ...SENDING, run: () => notifications.sendDue(acknowledgement) },
      { name: 'webhook', ...SENDING, run: () => notifications.sendDue(webhook) },
      // At the start, so that the first digest has what is held back from then on.
      {
        name: 'digest',
        everyMs: MINUTE_MS,
        stalledAfterMs: 2 * SENDING_MS,
        isRunAtStart: true,
        run: () => digest.run(),
      },
      { name: 'monitor', everyMs: 10 * SECOND_MS, stalledAfterMs: 2 * MINUTE_MS, run: () => monitor.check() },
      // Logs in, so that a fault is found before the first submission. The health check reports it.
      {
        name: 'mail server',
        everyMs: 5 * MINUTE_MS,
        stalledAfterMs: SENDING_MS,
        isRunAtStart: true,
        run: () => mailer.verify().catch(() => undefined),
      },
      { name: 'erasures', everyMs: MINUTE_MS, stalledAfterMs: 3 * HOUR_MS, run: () => retention.completeErasures() },
      { name: 'retention', everyMs: HOUR_MS, stalledAfterMs: 3 * HOUR_MS, run: () => retention.run() },
      {
        name: 'acknowledged addresses',
        everyMs: HOUR_MS,
        stalledAfterMs: 3 * HOUR_MS,
        run: () => acknowledgement.forget(),
      },
      storage.task,
    ];
  }

  onApplicationBootstrap(): void {
    this.runner.start(this.tasks);
  }
}
