import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { pauseBeforeRetry } from '../delivery/failure.ts';
import { HealthService } from '../observability/health.service.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { Acknowledgement } from './acknowledgement.service.ts';
import { FollowUpsRepository, type FollowUp, type Sent } from './follow-ups.repository.ts';
import { Webhook } from './webhook.service.ts';

/** No attempt takes longer; it is well below the lease. */
const ATTEMPT_MAX_MS = 30_000;

/** What sends the follow-ups of one kind. */
type Sender = Acknowledgement | Webhook;

/**
 * Sends what goes beside the mail to sales or HR. It has rows, leases and loops of its own, and touches neither Redis nor
 * the submission's row, so that nothing here can delay, repeat or endanger the mail. What a worker had in hand when it
 * died is sent again.
 */
@Injectable()
export class FollowUpsService implements BeforeApplicationShutdown {
  private readonly log = new Logger('FollowUps');
  private readonly inHand = new Set<Promise<void>>();
  private isStopping = false;

  constructor(
    private readonly followUps: FollowUpsRepository,
    private readonly submissions: SubmissionsRepository,
    private readonly acknowledgement: Acknowledgement,
    private readonly webhook: Webhook,
    private readonly health: HealthService,
  ) {
    for (const { kind } of [acknowledgement, webhook]) health.expectTask(kind, 5 * 60_000);
  }

  /** Each kind has a loop of its own, so that a receiver that never answers holds up no visitor's mail. */
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
    return this.health.runTask(this.acknowledgement.kind, () => this.acknowledgement.forget());
  }

  /** What is in hand ends by itself soon. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.inHand);
  }

  private async run(sender: Sender): Promise<void> {
    const running = this.health.runTask(sender.kind, () => this.sendDue(sender));
    this.inHand.add(running);
    await running;
    this.inHand.delete(running);
  }

  /** One round takes no longer than an attempt, however much waits. */
  private async sendDue(sender: Sender): Promise<void> {
    if (!sender.isReady || this.isStopping) return;
    const leased = await this.followUps.acquire(sender.kind, sender.afterMail, sender.inParallel);
    await Promise.all(leased.map((one) => this.attempt(sender, one)));
  }

  private async attempt(sender: Sender, followUp: FollowUp): Promise<void> {
    const { submissionId: reference, kind } = followUp;
    const submission = await this.submissions.find(reference);
    if (!submission) return;
    const end = pause(ATTEMPT_MAX_MS, { state: 'pending', error: 'no end' } as const, { ref: false });
    const sent: Sent = await Promise.race([sender.send(submission), end]).catch(afterError);
    const attempts = followUp.attempts + (sent.pauseMs === undefined ? 1 : 0);
    const pauseMs = sent.state === 'pending' ? (sent.pauseMs ?? pauseBeforeRetry(attempts)) : undefined;
    const state = sent.state === 'pending' && pauseMs === undefined ? 'failed' : sent.state;
    await this.followUps.settle(followUp, { state, attempts, lastError: sent.error ?? null, pauseMs });
    // Of what is tried again and again the first failure and the end are told.
    if (state !== 'pending' || attempts === 1)
      this.log.log({ event: 'follow-up', kind, reference, state, attempts, code: sent.error });
  }
}

/** An attempt that broke off is made again. Only codes are kept: words of others can hold an address. */
function afterError(error: NodeJS.ErrnoException): Sent {
  return { state: 'pending', error: error.code ?? error.name };
}
