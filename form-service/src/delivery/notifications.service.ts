import { Injectable } from '@nestjs/common';
import type { FormKind } from '../contract/forms.ts';
import type { NotificationKind } from '../database/schema.ts';
import { Log } from '../observability/log.ts';
import { NotificationsRepository, type Notification } from '../outbox/notifications.repository.ts';
import { Outbox, type Outcome } from '../outbox/outbox.service.ts';
import type { Submission } from '../submissions/submission.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';

/** Sends the notifications of one kind. */
export interface Channel {
  readonly kind: NotificationKind;
  readonly isEnabled: boolean;
  /** Maximum number sent at the same time. */
  readonly inParallel: number;
  /** Forms whose notification waits until the mail is delivered or has failed. */
  readonly afterMail: readonly FormKind[];
  /** @throws DeliveryError, or any other error */
  send(submission: Submission, signal: AbortSignal): Promise<void>;
}

/**
 * Sends notifications in addition to the mail to sales or HR. They have rows of their own, and use neither Redis nor the
 * submission's row, so they cannot delay or repeat the mail. Those of a dead worker are sent again (at least once).
 */
@Injectable()
export class NotificationsService {
  private readonly log = new Log('Notifications');

  constructor(
    private readonly notifications: NotificationsRepository,
    private readonly submissions: SubmissionsRepository,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Sends the notifications of a kind that are due. A round takes no longer than one attempt, because it leases only what
   * it sends at once.
   */
  async sendDue(channel: Channel): Promise<void> {
    const { kind, afterMail, inParallel } = channel;
    if (!channel.isEnabled) return;
    await this.outbox.run<Notification, void>(() => this.notifications.acquire(kind, afterMail, inParallel), {
      attemptsOf: ({ attempts }) => attempts,
      renew: (notification) => this.notifications.renew(notification),
      send: async ({ submissionId }, signal) => {
        const submission = await this.submissions.find(submissionId);
        // An erased submission has taken its notification with it.
        if (submission) await channel.send(submission, signal);
      },
      settle: (notification, outcome) => this.settle(notification, outcome),
    });
  }

  private async settle(
    notification: Notification,
    { state, failure, attempts, pauseMs }: Outcome<unknown>,
  ): Promise<void> {
    const { submissionId: reference, kind } = notification;
    const lastError = failure ? (failure.reply?.code ?? failure.reason) : null;
    await this.notifications.settle(notification, { state, attempts, lastError, pauseMs });
    // Logs the first failure and the final result only.
    if (state !== 'pending' || attempts === 1)
      this.log.log({ event: 'notification', kind, reference, state, attempts, code: lastError ?? undefined });
  }
}
