import { Inject, Injectable, Logger } from '@nestjs/common';
import { formLabelOf } from '../canary/form-label.ts';
import { SubmissionMovedError, SubmissionStore } from '../storage/submission-store.ts';
import type { Submission } from '../storage/submission.ts';
import { Alerts } from './alerts.ts';
import { ScannerUnavailableError } from './clamd.ts';
import { DeliveryMetrics, type AttemptFailureKind } from './delivery-metrics.ts';
import { MailError } from './mail-error.ts';
import { MailServerWatch } from './mail-server-watch.ts';
import { pauseBeforeRetry } from './retry-policy.ts';
import { ScannerWatch } from './scanner-watch.ts';

/** Pause after a failure that no attempt counts for, in milliseconds; the service's return ends it earlier. */
const HELD_MS = 60_000;

interface Cause {
  readonly kind: AttemptFailureKind;
  /** For the record and the log: a code, never a server's words. */
  readonly code: string;
}

/** Turns a failed attempt into what happens next: another attempt after a pause, or the end as failed. */
@Injectable()
export class FailureHandling {
  private readonly log = new Logger('Delivery');

  constructor(
    @Inject(SubmissionStore) private readonly store: SubmissionStore,
    @Inject(MailServerWatch) private readonly mailServer: MailServerWatch,
    @Inject(ScannerWatch) private readonly scanner: ScannerWatch,
    @Inject(DeliveryMetrics) private readonly metrics: DeliveryMetrics,
    @Inject(Alerts) private readonly alerts: Alerts,
  ) {}

  /** Records the failure. Resolves with the pause before the next attempt, or undefined when there will be none. */
  async handle(submission: Submission, error: unknown): Promise<number | undefined> {
    const cause = causeOf(error);
    const now = new Date();
    const firstAttemptAt = submission.delivery.firstAttemptAt ?? now.toISOString();
    const attempts = submission.delivery.attempts + 1;
    const pauseMs = pauseAfter(cause.kind, attempts, now.getTime() - Date.parse(firstAttemptAt));
    const delivery = { ...submission.delivery, attempts, firstAttemptAt, lastAttemptAt: now.toISOString(), lastError: cause.code };

    const { id: reference, requestId } = submission;
    this.log.warn({ event: 'attempt failed', reference, requestId, kind: cause.kind, code: cause.code, attempts, pauseMs });
    this.metrics.attemptFailed(cause.kind, pauseMs !== undefined);
    const recorded = await this.record({ ...submission, delivery }, pauseMs === undefined ? now : undefined);
    await this.tellWatches(cause.kind, error);
    return recorded ? pauseMs : (pauseMs ?? HELD_MS);
  }

  /** @returns false when the store cannot take it now; the submission is then pending as before */
  private async record(submission: Submission, failedAt: Date | undefined): Promise<boolean> {
    try {
      if (!failedAt) {
        await this.store.update(submission, 'pending', 'pending');
        return true;
      }
      const delivery = { ...submission.delivery, failedAt: failedAt.toISOString() };
      await this.store.update({ ...submission, delivery }, 'pending', 'failed');
    } catch (error) {
      if (error instanceof SubmissionMovedError) return true;
      this.alerts.report('storage-unavailable', true);
      return false;
    }
    this.metrics.settled.inc({ form: formLabelOf(submission), state: 'failed' });
    this.alerts.raise('submission-failed', [submission.id]);
    return true;
  }

  /** After the record, so that a watch which finds the service back already finds the submission pending. */
  private async tellWatches(kind: Cause['kind'], error: unknown): Promise<void> {
    if (kind === 'server-away') this.mailServer.reportOutage(error);
    else if (kind === 'scanner') await this.scanner.check();
  }
}

function pauseAfter(kind: Cause['kind'], attempts: number, elapsedMs: number): number | undefined {
  if (kind === 'permanent' || kind === 'too-large') return undefined;
  const pause = pauseBeforeRetry({ attempts, elapsedMs });
  // An outage is no message's fault, however long it lasts.
  return kind === 'server-away' ? (pause ?? HELD_MS) : pause;
}

function causeOf(error: unknown): Cause {
  if (error instanceof MailError) return { kind: error.kind, code: error.reason };
  if (error instanceof ScannerUnavailableError) return { kind: 'scanner', code: `scanner: ${error.message}` };
  const { code, name } = error as NodeJS.ErrnoException;
  return { kind: 'unexpected', code: code ?? name ?? 'unknown' };
}
