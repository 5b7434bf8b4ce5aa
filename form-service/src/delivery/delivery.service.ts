import { addAbortSignal, type Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { isOfAnotherForm, recipientOf } from '../submissions/recipients.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { pdfTraits } from '../files/pdf-traits.ts';
import { Log } from '../observability/log.ts';
import { virusReason } from '../submissions/reasons.ts';
import type { SubmissionFile } from '../database/schema.ts';
import { DamagedStoredFileError, FileStorage } from '../files/file-storage.ts';
import type { EventDetail, Lease, Submission } from '../submissions/submission.ts';
import { LEASE_MS, SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { abortable, type Attempt } from '../outbox/attempt.ts';
import { AFTER_FAILURE, AttemptInterrupted, DeliveryError, deliveryErrorOf } from '../outbox/failure.ts';
import { LeasedWork, type Work } from '../outbox/leased-work.ts';
import { retryDelay } from '../outbox/retry-delay.ts';
import { Breakers } from './breakers.ts';
import { deliveryMetrics } from './delivery.metrics.ts';
import { Refusals } from './refusals.ts';
import { Mailer } from '../mail/mailer.service.ts';
import type { Mail } from '../mail/mails/mail.ts';
import { submissionMail } from '../mail/mails/submission-mail.ts';
import { VirusScanner } from './virus-scanner.service.ts';

/** Time limit for scanning or inspecting a file. A storage or a scanner may stall in the middle. */
const FILE_MAX_MS = 2 * 60_000;

/** Pause before the next attempt if the storage of the file is unavailable, or the mail server wants a pause. */
const WAIT_PAUSE_MS = 30_000;

/** New state of a submission whose mail was accepted. */
interface SendResult {
  readonly state: 'delivered' | 'quarantined';
  readonly reasons?: readonly string[];
  readonly event: EventDetail;
}

/**
 * Delivers one submission: leases it, sends it, and writes the result. A job may name any submission, but only a due one
 * is mailed, and only the holder of the lease writes the result (fencing token).
 */
@Injectable()
export class DeliveryService {
  fileMaxMs = FILE_MAX_MS;
  private readonly log = new Log('Delivery');
  private readonly work: Work<Lease> = {
    leaseMs: LEASE_MS,
    renew: (lease) => this.submissions.renew(lease),
    run: (lease, attempt) => this.attempt(lease, attempt),
  };

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly submissions: SubmissionsRepository,
    private readonly files: FileStorage,
    private readonly mailer: Mailer,
    private readonly virusScanner: VirusScanner,
    private readonly breakers: Breakers,
    private readonly refusals: Refusals,
    private readonly leasedWork: LeasedWork,
  ) {}

  /** @throws StorageUnavailableError if the delivery cannot begin; the submission stays due */
  async deliver(id: string): Promise<void> {
    if (this.breakers.mailServer.isOpen) return;
    await this.leasedWork.run(async () => {
      const lease = await this.submissions.acquire(id);
      return lease ? [lease] : [];
    }, this.work);
  }

  private async attempt(lease: Lease, attempt: Attempt): Promise<void> {
    const { submission } = lease;
    const isScanned = this.needsScan(submission);
    if (attempt.signal.aborted || (isScanned && this.breakers.scanner.isOpen)) {
      await this.submissions.endLease(lease);
      return;
    }
    let result: SendResult;
    try {
      result = await this.send(submission, attempt);
    } catch (error) {
      if (error instanceof AttemptInterrupted) return this.recordInterruption(lease, error);
      return this.recordFailure(lease, attempt, error);
    }
    this.breakers.mailServer.succeeded();
    if (isScanned) this.breakers.scanner.succeeded();
    const attempts = submission.attempts + 1;
    const mailbox = recipientOf(submission, this.settings);
    // The other department has the mail now, so its inbox opens the submission.
    const recipient = isOfAnotherForm(mailbox, submission.form, this.settings) ? mailbox : undefined;
    const isWritten = await this.leasedWork.write(() =>
      this.submissions.endLease(lease, { ...result, attempts, recipient }),
    );
    this.logResult(lease, isWritten ? result.state : 'lease lost', attempts);
    await this.submissions.reschedule(this.refusals.accept(mailbox), 0);
  }

  /** Whether the file must be scanned. A submission that a user released in spite of a finding is not scanned again. */
  private needsScan({ resume, releasedAt, reasons }: Submission): boolean {
    const isReleased = releasedAt !== null && reasons.some((one) => typeof one !== 'string');
    return this.virusScanner.isEnabled && resume !== null && !isReleased;
  }

  /** Sends a submission to the mail server. Changes nothing in the database. */
  private async send(submission: Submission, attempt: Attempt): Promise<SendResult> {
    const { resume } = submission;
    if (!resume) return this.sendMail(submissionMail(submission, this.settings), attempt);
    // If a scanner is configured, no file is mailed unscanned.
    const finding = this.needsScan(submission)
      ? await this.withFile(resume, attempt, (file, signal) => this.virusScanner.scan(file, signal))
      : undefined;
    if (finding === undefined) return this.sendWithFile(submission, resume, attempt);
    const { event } = await this.sendMail(submissionMail(submission, this.settings, { finding }), attempt);
    return { state: 'quarantined', reasons: [...submission.reasons, virusReason(finding)], event };
  }

  /** Runs work on the file before a connection is used, under its own time limit. */
  private async withFile<T>(
    resume: SubmissionFile,
    attempt: Attempt,
    work: (file: Readable, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return attempt.run(async () => {
      const file = addAbortSignal(attempt.signal, await abortable(this.files.open(resume), attempt.signal));
      return work(file, attempt.signal);
    }, this.fileMaxMs);
  }

  private async sendMail(mail: Mail, attempt: Attempt): Promise<SendResult> {
    return { state: 'delivered', event: { reply: await this.mailer.send(mail, attempt) } };
  }

  /** Sends a submission with its file. If the server may accept it without the file, sends a mail that says how to get the file. */
  private async sendWithFile(submission: Submission, resume: SubmissionFile, attempt: Attempt): Promise<SendResult> {
    const isPdf = resume.mediaType === 'application/pdf';
    const pdf = isPdf ? await this.withFile(resume, attempt, (file) => pdfTraits(file)) : {};
    const attached = () => this.files.open(resume);
    try {
      return await this.sendMail(submissionMail(submission, this.settings, { attached, ...pdf }), attempt);
    } catch (error) {
      if (!(error instanceof DeliveryError) || !error.mayBeFile) throw error;
      const refusal = error.kind === 'too-large' ? undefined : error.reply?.code;
      const { id: reference, requestId } = submission;
      this.log.warn({ event: 'file refused', reference, requestId, kind: error.kind, code: error.reason });
      return this.sendMail(submissionMail(submission, this.settings, { refusal, ...pdf }), attempt);
    }
  }

  /** Ends the lease. An interrupted attempt does not count. */
  private async recordInterruption(lease: Lease, { when, message }: AttemptInterrupted): Promise<void> {
    const { id: reference, requestId, attempts } = lease.submission;
    // The history shows why the mail may arrive twice.
    const isWritten = await this.submissions.endLease(
      lease,
      when === 'sending' ? { pauseMs: 0, attempts, error: message } : {},
    );
    if (when === 'sending') this.log.warn({ event: 'attempt interrupted', reference, requestId, attempts });
    if (!isWritten) this.logResult(lease, 'lease lost', attempts);
  }

  private async recordFailure(lease: Lease, attempt: Attempt, error: unknown): Promise<void> {
    const { submission } = lease;
    const { id: reference, requestId, attempts: before, lastError } = submission;
    const failure = deliveryErrorOf(error);
    const { kind, reason, reply } = failure;
    deliveryMetrics.failedAttempts.inc({ kind });
    // A damaged file does not repair itself.
    const isDamaged = error instanceof DamagedStoredFileError;
    const next = isDamaged ? 'retry' : await this.consequenceOf(failure, attempt);
    if (next === 'hold') {
      await this.submissions.endLease(lease, { error: reason });
      return;
    }
    // A refusal that no reply shows concerns the message: its size or an invalid address.
    const isRefused = next === 'refused' && reply !== undefined;
    const attempts = before + (next === 'wait' || isRefused ? 0 : 1);
    // Repeated waits would fill the history.
    const event =
      next === 'wait' && reason === lastError ? null : { ...reply, ...(isRefused && { event: 'refused' as const }) };
    const pauseMs = this.pauseAfter(next, submission, failure, attempts);
    const result = pauseMs === undefined ? ({ state: 'failed', event: reply } as const) : { pauseMs, event };
    this.log.warn({ event: 'attempt failed', reference, requestId, kind, code: reason, attempts, pauseMs });
    const isWritten = await this.submissions.endLease(lease, { ...result, attempts, error: reason });
    if (pauseMs === undefined) this.logResult(lease, isWritten ? 'failed' : 'lease lost', attempts);
  }

  /** Returns the pause before the next attempt; undefined if there is none. */
  private pauseAfter(next: string, submission: Submission, { reply, reason }: DeliveryError, attempts: number) {
    if (next === 'wait') return WAIT_PAUSE_MS;
    if (next !== 'refused') return retryDelay(attempts);
    const mailbox = recipientOf(submission, this.settings);
    return reply && this.refusals.pauseAfter(mailbox, submission, reply.code ?? reason);
  }

  /** Returns what follows from a failure. Opens the circuit breaker of a service that is unavailable. */
  private async consequenceOf(failure: DeliveryError, { startedAt }: Attempt) {
    const { mailServer, scanner } = this.breakers;
    if (failure.kind === 'server-away' && !mailServer.open(failure, startedAt)) return AFTER_FAILURE.busy;
    // A scanner that answers a probe fails on this file only.
    if (failure.kind === 'scanner' && (await scanner.check())) return 'retry';
    return AFTER_FAILURE[failure.kind];
  }

  private logResult(
    { submission }: Lease,
    event: SendResult['state'] | 'failed' | 'lease lost',
    attempts: number,
  ): void {
    const { id: reference, form, requestId, stateSince } = submission;
    const seconds = (Date.now() - stateSince) / 1_000;
    this.log.log({ event, reference, form, requestId, attempts, seconds });
    if (event === 'lease lost') return;
    deliveryMetrics.settled.inc({ form, state: event });
    if (event === 'delivered') deliveryMetrics.secondsToDeliver.observe({ form }, seconds);
  }
}
