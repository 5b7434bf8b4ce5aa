import { Injectable } from '@nestjs/common';
import { Log } from '../observability/log.ts';
import type { Attempt } from '../outbox/attempt.ts';
import { AttemptInterrupted } from '../outbox/failure.ts';
import { LeasedWork } from '../outbox/leased-work.ts';
import { retryDelay } from '../outbox/retry-delay.ts';
import {
  NotificationsRepository,
  LEASE_MS,
  type Notification,
  type NotificationResult,
} from '../outbox/notifications.repository.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import type { Acknowledgement } from './acknowledgement.service.ts';
import type { Webhook } from './webhook.service.ts';

/** Sends the notifications of one kind. */
type Sender = Acknowledgement | Webhook;

/**
 * Sends notifications in addition to the mail to sales or HR (transactional outbox). It has its own rows, leases and
 * loops, and uses neither Redis nor the submission's row, so that it cannot delay or repeat the mail. Notifications of
 * a dead worker are sent again (at least once).
 */
@Injectable()
export class NotificationsService {
  private readonly log = new Log('Notifications');

  constructor(
    private readonly notifications: NotificationsRepository,
    private readonly submissions: SubmissionsRepository,
    private readonly leasedWork: LeasedWork,
  ) {}

  /**
   * Sends the notifications of a kind that are due. A round takes no longer than one attempt, because it leases only what
   * it sends at once.
   */
  async sendDue(sender: Sender): Promise<void> {
    if (!sender.isReady) return;
    const { kind, afterMail, inParallel } = sender;
    await this.leasedWork.run(() => this.notifications.acquire(kind, afterMail, inParallel), {
      leaseMs: LEASE_MS,
      renew: (notification) => this.notifications.renew(notification),
      run: (notification, attempt) => this.attempt(sender, notification, attempt),
    });
  }

  private async attempt(sender: Sender, notification: Notification, attempt: Attempt): Promise<void> {
    const { submissionId: reference, kind } = notification;
    const submission = await this.submissions.find(reference);
    if (!submission) return;
    const sent = await sender.send(submission, attempt).catch(afterError);
    const attempts = notification.attempts + (sent.pauseMs === undefined ? 1 : 0);
    const pauseMs = sent.state === 'pending' ? (sent.pauseMs ?? retryDelay(attempts)) : undefined;
    const state = sent.state === 'pending' && pauseMs === undefined ? 'failed' : sent.state;
    const result = { state, attempts, lastError: sent.error ?? null, pauseMs };
    await this.leasedWork.write(() => this.notifications.settle(notification, result));
    // Logs the first failure and the final result only.
    if (state !== 'pending' || attempts === 1)
      this.log.log({ event: 'notification', kind, reference, state, attempts, code: sent.error });
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
