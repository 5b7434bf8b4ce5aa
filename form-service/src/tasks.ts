import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Monitor } from './alerts/monitor.service.ts';
import { SubmissionAlerts } from './alerts/submission-alerts.service.ts';
import { Breakers } from './delivery/breakers.ts';
import { DeliveryProcessor } from './delivery/delivery.processor.ts';
import { DigestService } from './housekeeping/digest.service.ts';
import { RetentionService } from './housekeeping/retention.service.ts';
import { SignInAttempts } from './inbox/sign-in-attempts.service.ts';
import { Acknowledgement } from './notifications/acknowledgement.service.ts';
import { NotificationsService } from './notifications/notifications.service.ts';
import { Webhook } from './notifications/webhook.service.ts';
import { ATTEMPT_MAX_MS } from './outbox/attempt.ts';
import { TaskRunner, type Task } from './outbox/task-runner.ts';
import { StorageHealth } from './checks/storage-health.service.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Longer than any attempt, because a slow mail server is not a fault of the service. */
const SENDING_MS = ATTEMPT_MAX_MS + 5 * MINUTE;

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
    submissionAlerts: SubmissionAlerts,
    { mailServer }: Breakers,
    signIns: SignInAttempts,
  ) {
    const task = (name: string, everyMs: number, stalledAfterMs: number, run: () => unknown): Task => {
      return { name, everyMs, stalledAfterMs, run };
    };
    this.tasks = [
      task('due submissions', 2 * SECOND, MINUTE, () => processor.addDue()),
      task('acknowledgement', 2 * SECOND, SENDING_MS, () => notifications.sendDue(acknowledgement)),
      task('webhook', 2 * SECOND, SENDING_MS, () => notifications.sendDue(webhook)),
      task('digest', MINUTE, 2 * SENDING_MS, () => digest.run()),
      task('monitor', 10 * SECOND, 2 * MINUTE, () => monitor.check()),
      task('submission alerts', 10 * SECOND, 2 * MINUTE, () => submissionAlerts.raiseDue()),
      // Logs in, so that a fault is found before the first submission.
      { ...task('mail server', 5 * MINUTE, SENDING_MS, () => mailServer.check()), isRunAtStart: true },
      task('sign-ins', MINUTE, 5 * MINUTE, () => signIns.watch()),
      task('erasures', MINUTE, 3 * HOUR, () => retention.completeErasures()),
      task('retention', HOUR, 3 * HOUR, () => retention.run()),
      task('acknowledged addresses', HOUR, 3 * HOUR, () => acknowledgement.forget()),
      storage.task,
    ];
  }

  onApplicationBootstrap(): void {
    this.runner.start(this.tasks);
  }
}
