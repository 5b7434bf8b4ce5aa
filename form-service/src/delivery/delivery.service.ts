import { addAbortSignal } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { recipientOf } from '../config/recipients.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { isEncryptedPdf } from '../documents/encrypted-pdf.ts';
import { ResumeFiles } from '../submissions/resume-files.ts';
import type { ApplicationSubmission, EventDetail, Lease, Submission } from '../submissions/submission.ts';
import { LEASE_MS, SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { Breakers } from './circuit-breaker.ts';
import { deliveryMetrics } from './delivery.metrics.ts';
import { AFTER_FAILURE, DeliveryError, deliveryErrorOf, pauseBeforeRetry } from './failure.ts';
import { Mailer } from './mailer.service.ts';
import type { Mail } from './mails/mail.ts';
import { applicationMail, enquiryMail } from './mails/submission-mail.ts';
import { VirusScanner } from './virus-scanner.service.ts';

/** No attempt takes longer, so that no lease is renewed for ever: a storage or a server may stall in the middle. */
const ATTEMPT_MAX_MS = 2 * 60_000;

/** A result that the database did not take is written again after this pause. */
const WRITE_RETRY_MS = 1_000;

/** A submission whose file could not be read, because its storage is away, is tried again after this pause. */
const STORAGE_PAUSE_MS = 30_000;

/** The prefix of a reason that comes from the virus scan and not from the spam filter. */
const SCAN_FINDING = 'virus scan: ';

/** What became of a submission that was sent. */
interface Outcome {
  readonly state: 'delivered' | 'quarantined';
  readonly reasons?: readonly string[];
  readonly event: EventDetail;
}

/**
 * Delivers one submission: leases it, sends it, and writes the result. Whatever a job asks for, only a submission that
 * is due is mailed, and only the holder of its lease writes the result.
 */
@Injectable()
export class DeliveryService implements OnModuleDestroy {
  /** The inboxes that refused the latest mail. */
  readonly refused = new Set<string>();
  attemptMaxMs = ATTEMPT_MAX_MS;
  private readonly log = new Logger('Delivery');
  private readonly stopping = new AbortController();

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly submissions: SubmissionsRepository,
    private readonly files: ResumeFiles,
    private readonly mailer: Mailer,
    private readonly virusScanner: VirusScanner,
    private readonly breakers: Breakers,
  ) {}

  /** @throws StorageUnavailableError when the delivery cannot begin; the submission then stays due */
  async deliver(id: string): Promise<void> {
    if (this.breakers.mailServer.isOpen) return;
    const lease = await this.submissions.acquire(id);
    if (!lease) return;
    const renewal = setInterval(() => void this.submissions.renew(lease).catch(() => undefined), LEASE_MS / 3);
    try {
      await this.attempt(lease);
    } finally {
      clearInterval(renewal);
    }
  }

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  private async attempt(lease: Lease): Promise<void> {
    const { submission } = lease;
    const isScanned = this.needsScan(submission);
    if (isScanned && this.breakers.scanner.isOpen) return void (await this.submissions.endLease(lease));
    const limit = AbortSignal.timeout(this.attemptMaxMs);
    let outcome: Outcome;
    try {
      outcome = await Promise.race([this.send(submission, limit), endOf(limit)]);
    } catch (error) {
      return this.failed(lease, error);
    }
    this.refused.delete(recipientOf(submission, this.settings));
    this.breakers.mailServer.succeeded();
    if (isScanned) this.breakers.scanner.succeeded();
    const attempts = submission.attempts + 1;
    const isWritten = await this.untilWritten(() => this.submissions.endLease(lease, { ...outcome, attempts }));
    this.logResult(lease, isWritten ? outcome.state : 'lease lost', attempts);
  }

  /**
   * Whether the file must be scanned first: not again once a person has looked at the finding and released the
   * submission.
   */
  private needsScan({ form, releasedAt, reasons }: Submission): boolean {
    const isReleased = releasedAt !== null && reasons.some((one) => one.startsWith(SCAN_FINDING));
    return this.virusScanner.isEnabled && form === 'application' && !isReleased;
  }

  /** Hands a submission to the mail server. It changes nothing in the database. */
  private async send(submission: Submission, limit: AbortSignal): Promise<Outcome> {
    if (submission.form === 'contact') return this.delivered(enquiryMail(submission, this.settings));
    const open = async () => addAbortSignal(limit, await this.files.open(submission.resume.key));
    // A file is never mailed unscanned.
    const finding = this.needsScan(submission) ? await this.virusScanner.scan(await open()) : undefined;
    limit.throwIfAborted();
    if (finding === undefined) return this.sendApplication(submission, open);
    const { event } = await this.delivered(applicationMail(submission, this.settings, { finding }));
    return { state: 'quarantined', reasons: [...submission.reasons, `${SCAN_FINDING}${finding}`], event };
  }

  private async delivered(mail: Mail): Promise<Outcome> {
    return { state: 'delivered', event: { reply: await this.mailer.send(mail) } };
  }

  /** Sends an application. Where the server does not take the file, the rest is sent and says how to get the file. */
  private async sendApplication(
    submission: ApplicationSubmission,
    open: () => ReturnType<ResumeFiles['open']>,
  ): Promise<Outcome> {
    const isEncrypted = submission.resume.mediaType === 'application/pdf' && (await isEncryptedPdf(await open()));
    try {
      return await this.delivered(applicationMail(submission, this.settings, { attached: open, isEncrypted }));
    } catch (error) {
      if (!(error instanceof DeliveryError) || error.kind !== 'too-large') throw error;
      return this.delivered(applicationMail(submission, this.settings, { isEncrypted }));
    }
  }

  private async failed(lease: Lease, error: unknown): Promise<void> {
    const { id: reference, requestId, attempts: before } = lease.submission;
    const failure = deliveryErrorOf(error);
    const { kind, reason, reply: event } = failure;
    if (kind === 'inbox-refused') this.refused.add(recipientOf(lease.submission, this.settings));
    if (kind === 'server-away') this.breakers.mailServer.open(failure);
    // A scanner that answers a probe has nothing against others than this file.
    const isOnlyThisFile = kind === 'scanner' && (await this.breakers.scanner.check());
    const next = isOnlyThisFile ? 'retry' : AFTER_FAILURE[kind];
    deliveryMetrics.failedAttempts.inc({ kind });
    if (next === 'hold') return void (await this.submissions.endLease(lease, { error: reason }));
    const attempts = before + (next === 'wait' ? 0 : 1);
    const pauseMs = { wait: STORAGE_PAUSE_MS, retry: pauseBeforeRetry(attempts), 'give up': undefined }[next];
    this.log.warn({ event: 'attempt failed', reference, requestId, kind, code: reason, attempts, pauseMs });
    if (pauseMs !== undefined)
      return void (await this.submissions.endLease(lease, { pauseMs, attempts, error: reason, event }));
    const isWritten = await this.submissions.endLease(lease, { state: 'failed', attempts, error: reason, event });
    this.logResult(lease, isWritten ? 'failed' : 'lease lost', attempts);
  }

  /**
   * Writes the result of a mail that was sent, however long the database is away. The lease is kept meanwhile, because
   * a second worker, or a second attempt, would send the mail again.
   */
  private async untilWritten(write: () => Promise<boolean>): Promise<boolean> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!(error instanceof StorageUnavailableError) || this.stopping.signal.aborted) throw error;
        await pause(WRITE_RETRY_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      }
    }
  }

  private logResult({ submission }: Lease, event: Outcome['state'] | 'failed' | 'lease lost', attempts: number): void {
    const { id: reference, form, requestId, stateSince } = submission;
    const seconds = (Date.now() - stateSince) / 1_000;
    this.log.log({ event, reference, form, requestId, attempts, seconds });
    if (event === 'lease lost') return;
    deliveryMetrics.settled.inc({ form, state: event });
    if (event === 'delivered') deliveryMetrics.secondsToDeliver.observe({ form }, seconds);
  }
}

/** Rejects at the end of the time limit. */
function endOf(limit: AbortSignal): Promise<never> {
  return new Promise((_, reject) => limit.addEventListener('abort', () => reject(limit.reason as Error)));
}
