import { Injectable, type BeforeApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { allEnded, Attempt, ATTEMPT_MAX_MS, FINISH_MS, untilWritten } from '../mail/attempt.ts';
import { AttemptInterrupted } from '../mail/failure.ts';
import { Log } from '../observability/log.ts';
import { HealthService } from '../observability/health.service.ts';
import { retryDelay } from '../submissions/retry-delay.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { Acknowledgement } from './acknowledgement.service.ts';
import {
  NotificationsRepository,
  LEASE_MS,
  type Notification,
  type NotificationResult,
} from '../submissions/notifications.repository.ts';
import { Webhook } from './webhook.service.ts';

/** Longer than any attempt, because a slow mail server is not a fault of the service. */
const STALLED_MS = ATTEMPT_MAX_MS + 5 * 60_000;

/** Name of the task that forgets addresses. Its success must not hide a stalled loop. */
const FORGET_TASK = 'acknowledged addresses';
const FORGET_STALLED_MS = 3 * 60 * 60_000;

/** Sends the notifications of one kind. */
type Sender = Acknowledgement | Webhook;

/**
 * Sends notifications in addition to the mail to sales or HR (transactional outbox). It has its own rows, leases and
 * loops, and uses neither Redis nor the submission's row, so that it cannot delay or repeat the mail. Notifications of
 * a dead worker are sent again (at least once).
 */
@Injectable()
export class NotificationsService implements OnModuleDestroy, BeforeApplicationShutdown {
  private readonly log = new Log('Notifications');
  private readonly rounds = new Set<Promise<void>>();
  private readonly attempts = new Set<Attempt>();
  private readonly stopping = new AbortController();
  private isStopping = false;
  finishMs = FINISH_MS;

  constructor(
    private readonly notifications: NotificationsRepository,
    private readonly submissions: SubmissionsRepository,
    private readonly acknowledgement: Acknowledgement,
    private readonly webhook: Webhook,
    private readonly health: HealthService,
  ) {
    for (const { kind } of [acknowledgement, webhook]) health.expectTask(kind, STALLED_MS);
    health.expectTask(FORGET_TASK, FORGET_STALLED_MS);
  }

  /** Each kind has its own loop, so that a webhook that never answers delays no acknowledgement. */
  @Cron('*/2 * * * * *', { waitForCompletion: true })
  acknowledge(): Promise<void> {
    return this.run(this.acknowledgement);
  }

  @Cron('*/2 * * * * *', { waitForCompletion: true })
  postToWebhook(): Promise<void> {
    return this.run(this.webhook);
  }

  @Cron(CronExpression.EVERY_HOUR)
  forgetAddresses(): Promise<void> {
    return this.health.runTask(FORGET_TASK, () => this.acknowledgement.forget());
  }

  /** Nest calls this in all modules first, so that all attempts have the same time to finish. */
  onModuleDestroy(): void {
    this.isStopping = true;
    setTimeout(() => {
      this.stopping.abort();
      for (const attempt of this.attempts) attempt.end(new AttemptInterrupted('sending'));
    }, this.finishMs).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.rounds);
  }

  private async run(sender: Sender): Promise<void> {
    const round = this.health.runTask(sender.kind, () => this.sendDue(sender));
    this.rounds.add(round);
    await round;
    this.rounds.delete(round);
  }

  /**
   * One round takes no longer than one attempt, because it leases only what it sends at once. It ends after all of its
   * attempts, so that a shutdown waits for them, and the next round does not exceed the limit.
   */
  private async sendDue(sender: Sender): Promise<void> {
    if (!sender.isReady || this.isStopping) return;
    const leased = await this.notifications.acquire(sender.kind, sender.afterMail, sender.inParallel);
    await allEnded(leased.map((one) => this.attempt(sender, one)));
  }

  private async attempt(sender: Sender, notification: Notification): Promise<void> {
    const { submissionId: reference, kind } = notification;
    const submission = await this.submissions.find(reference);
    if (!submission) return;
    const attempt = new Attempt();
    const renewal = setInterval(() => void this.renew(notification, attempt), LEASE_MS / 3);
    this.attempts.add(attempt);
    const sent = await sender.send(submission, attempt).catch(afterError);
    this.attempts.delete(attempt);
    const attempts = notification.attempts + (sent.pauseMs === undefined ? 1 : 0);
    const pauseMs = sent.state === 'pending' ? (sent.pauseMs ?? retryDelay(attempts)) : undefined;
    const state = sent.state === 'pending' && pauseMs === undefined ? 'failed' : sent.state;
    const result = { state, attempts, lastError: sent.error ?? null, pauseMs };
    await untilWritten(() => this.notifications.settle(notification, result), this.stopping.signal).finally(() =>
      clearInterval(renewal),
    );
    // Logs the first failure and the final result only.
    if (state !== 'pending' || attempts === 1)
      this.log.log({ event: 'notification', kind, reference, state, attempts, code: sent.error });
  }

  /** Renews the lease, and ends the attempt if another worker has taken over. */
  private async renew(notification: Notification, attempt: Attempt): Promise<void> {
    const isOurs = await this.notifications.renew(notification).catch(() => true);
    if (!isOurs) attempt.end(new AttemptInterrupted('lease lost'));
  }
}

/**
 * Returns the result of an attempt that threw: it is retried, and does not count if it was interrupted. It holds only
 * codes, because messages of other programs can contain an address.
 */
function afterError(error: NodeJS.ErrnoException): NotificationResult {
  if (error instanceof AttemptInterrupted) return { state: 'pending', error: 'interrupted', pauseMs: 0 };
  return { state: 'pending', error: error.code ?? error.name };
}
