import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { formLabelOf } from '../canary/form-label.ts';
import { SubmissionMovedError, SubmissionStore } from '../storage/submission-store.ts';
import type { Submission, SubmissionState } from '../storage/submission.ts';
import { Alerts } from './alerts.ts';
import { DeliveryMetrics } from './delivery-metrics.ts';
import { FailureHandling } from './failure-handling.ts';
import { MailDispatch, type Dispatched } from './mail-dispatch.ts';
import { MailServerWatch } from './mail-server-watch.ts';
import { ScannerWatch } from './scanner-watch.ts';

/** Whether a job is done with its submission, or when it should look again, in milliseconds. */
export type DeliveryOutcome = { readonly kind: 'settled' } | { readonly kind: 'later'; readonly pauseMs: number };

const SETTLED: DeliveryOutcome = { kind: 'settled' };

/** How soon a submission is looked at again that waits for a service; its return is the normal release. */
const HELD_MS = 30_000;

/** How soon one is looked at again that another worker has claimed, perhaps one that died. */
const CLAIMED_MS = 5_000;

const MARK_RETRY_MS = 1_000;

/**
 * Delivers one submission: claims it, hands it over, and records what became of it. Whatever a job asks for, only a
 * pending submission is mailed, and only by the holder of its claim.
 */
@Injectable()
export class DeliveryService implements OnModuleDestroy {
  private readonly log = new Logger('Delivery');
  private readonly stopping = new AbortController();

  constructor(
    @Inject(SubmissionStore) private readonly store: SubmissionStore,
    @Inject(MailDispatch) private readonly dispatch: MailDispatch,
    @Inject(FailureHandling) private readonly failures: FailureHandling,
    @Inject(MailServerWatch) private readonly mailServer: MailServerWatch,
    @Inject(ScannerWatch) private readonly scanner: ScannerWatch,
    @Inject(DeliveryMetrics) private readonly metrics: DeliveryMetrics,
    @Inject(Alerts) private readonly alerts: Alerts,
  ) {}

  async deliver(id: string): Promise<DeliveryOutcome> {
    if (this.mailServer.isAway) return { kind: 'later', pauseMs: HELD_MS };
    if (!(await this.store.claim(id))) return { kind: 'later', pauseMs: CLAIMED_MS };
    try {
      return await this.deliverClaimed(id);
    } finally {
      await this.store.release(id).catch(() => this.log.warn({ event: 'claim not released', reference: id }));
    }
  }

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  private async deliverClaimed(id: string): Promise<DeliveryOutcome> {
    const found = await this.store.find(id);
    if (found?.state !== 'pending') return SETTLED;
    const { submission } = found;
    if (this.scanner.isAway && this.dispatch.needsScan(submission)) return { kind: 'later', pauseMs: HELD_MS };
    let dispatched: Dispatched;
    try {
      dispatched = await this.dispatch.dispatch(submission);
    } catch (error) {
      const pauseMs = await this.failures.handle(submission, error);
      return pauseMs === undefined ? SETTLED : { kind: 'later', pauseMs };
    }
    this.mailServer.reportSuccess();
    if (this.dispatch.needsScan(submission)) this.scanner.reportSuccess();
    await this.mark(dispatched.submission, dispatched.state);
    this.report(dispatched);
    return SETTLED;
  }

  /**
   * The mail is out: whatever is wrong with the store, keep the claim and go on until this is on record, because a
   * second worker, or a second attempt, would send the mail again.
   */
  private async mark(submission: Submission, state: SubmissionState): Promise<void> {
    for (;;) {
      try {
        await this.store.update(submission, 'pending', state);
        return;
      } catch (error) {
        if (error instanceof SubmissionMovedError) return;
        this.alerts.report('storage-unavailable', true);
        if (this.stopping.signal.aborted) throw error;
        await pause(MARK_RETRY_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      }
    }
  }

  private report({ submission, state }: Dispatched): void {
    const { id, receivedAt, delivery } = submission;
    const form = formLabelOf(submission);
    const seconds = (Date.now() - Date.parse(delivery.requeuedAt ?? receivedAt)) / 1_000;
    this.log.log({ event: state, reference: id, form, requestId: submission.requestId, attempts: delivery.attempts + 1, seconds });
    this.metrics.settled.inc({ form, state });
    if (state === 'delivered') this.metrics.secondsToDeliver.observe({ form }, seconds);
    else this.alerts.raise('submission-quarantined', [id]);
  }
}
