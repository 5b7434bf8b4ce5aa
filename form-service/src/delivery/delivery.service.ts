import { addAbortSignal, type Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { recipientOf } from '../config/recipients.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { pdfTraits } from '../documents/pdf-traits.ts';
import { Log } from '../observability/log.ts';
import type { Reason } from '../submissions/reasons.ts';
import { DamagedResumeError, ResumeFiles } from '../submissions/resume-files.ts';
import { retryDelay } from '../submissions/retry-delay.ts';
import type { ApplicationSubmission, EventDetail, Lease, Submission } from '../submissions/submission.ts';
import { LEASE_MS, SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { abortable, Attempt, untilWritten } from '../mail/attempt.ts';
import { Breakers } from './circuit-breaker.ts';
import { deliveryMetrics } from './delivery.metrics.ts';
import { AFTER_FAILURE, AttemptInterrupted, DeliveryError, deliveryErrorOf } from '../mail/failure.ts';
import { Mailer } from '../mail/mailer.service.ts';
import type { Mail } from '../mail/mails/mail.ts';
import { applicationMail, enquiryMail } from '../mail/mails/submission-mail.ts';
import { VirusScanner } from './virus-scanner.service.ts';

/** Time limit for scanning or inspecting a file. A storage or a scanner may stall in the middle. */
const FILE_MAX_MS = 2 * 60_000;

/** Pause before the next attempt if the storage of the file is unavailable. */
const STORAGE_PAUSE_MS = 30_000;

/** New state of a submission whose mail was accepted. */
interface SendResult {
  readonly state: 'delivered' | 'quarantined';
  readonly reasons?: readonly Reason[];
  readonly event: EventDetail;
}

/**
 * Delivers one submission: leases it, sends it, and writes the result. A job may name any submission, but only a due one
 * is mailed, and only the holder of the lease writes the result (fencing token).
 */
@Injectable()
export class DeliveryService {
  /** References of rejected submissions, by the mailbox that rejected this worker's latest mail. */
  private readonly rejections = new Map<string, Set<string>>();
  fileMaxMs = FILE_MAX_MS;
  private readonly log = new Log('Delivery');
  /** Attempts in progress, each with a promise that resolves when its result is written. */
  private readonly attempts = new Map<Attempt, Promise<void>>();
  private readonly stopping = new AbortController();
  private isStopping = false;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly submissions: SubmissionsRepository,
    private readonly files: ResumeFiles,
    private readonly mailer: Mailer,
    private readonly virusScanner: VirusScanner,
    private readonly breakers: Breakers,
  ) {}

  /** @throws StorageUnavailableError if the delivery cannot begin; the submission stays due */
  async deliver(id: string): Promise<void> {
    if (this.breakers.mailServer.isOpen || this.isStopping) return;
    const lease = await this.submissions.acquire(id);
    if (!lease) return;
    const attempt = new Attempt();
    const renewal = setInterval(() => void this.renew(lease, attempt), LEASE_MS / 3);
    const work = this.attempt(lease, attempt);
    this.attempts.set(attempt, work);
    try {
      await work;
    } finally {
      clearInterval(renewal);
      this.attempts.delete(attempt);
    }
  }

  /**
   * Returns the mailboxes that reject mail. A mailbox counts while a submission that it rejected is pending: another worker
   * may have delivered it since, or a user may have erased it.
   */
  async rejectingMailboxes(): Promise<string[]> {
    const pending = await this.submissions.pendingOf([...this.rejections.values()].flatMap((ids) => [...ids]));
    for (const [mailbox, ids] of this.rejections) {
      for (const id of ids) if (!pending.has(id)) ids.delete(id);
      if (ids.size === 0) this.rejections.delete(mailbox);
    }
    return [...this.rejections.keys()];
  }

  /** Graceful shutdown: starts no more attempts. Ends those that wait for a connection, for another worker. */
  stop(): void {
    this.isStopping = true;
    for (const attempt of this.attempts.keys()) if (!attempt.isRunning) attempt.end(new AttemptInterrupted('waiting'));
  }

  /** Waits until no attempt is in progress. */
  async finished(): Promise<void> {
    await Promise.allSettled(this.attempts.values());
  }

  /**
   * Ends the attempts in progress. A message without a reply yet is sent again, and may arrive twice.
   *
   * @returns the number of attempts
   */
  interrupt(): number {
    this.stopping.abort();
    for (const attempt of this.attempts.keys()) attempt.end(new AttemptInterrupted('sending'));
    return this.attempts.size;
  }

  /** Renews the lease, and ends the attempt if another worker has taken over. */
  private async renew(lease: Lease, attempt: Attempt): Promise<void> {
    const isOurs = await this.submissions.renew(lease).catch(() => true);
    if (!isOurs) attempt.end(new AttemptInterrupted('lease lost'));
  }

  private async attempt(lease: Lease, attempt: Attempt): Promise<void> {
    const { submission } = lease;
    const isScanned = this.needsScan(submission);
    if (this.isStopping || (isScanned && this.breakers.scanner.isOpen))
      return void (await this.submissions.endLease(lease));
    let result: SendResult;
    try {
      result = await this.send(submission, attempt);
    } catch (error) {
      return error instanceof AttemptInterrupted ? this.interrupted(lease, error) : this.failed(lease, error);
    }
    this.rejections.delete(recipientOf(submission, this.settings));
    this.breakers.mailServer.succeeded();
    if (isScanned) this.breakers.scanner.succeeded();
    const attempts = submission.attempts + 1;
    const isWritten = await untilWritten(
      () => this.submissions.endLease(lease, { ...result, attempts }),
      this.stopping.signal,
    );
    this.logResult(lease, isWritten ? result.state : 'lease lost', attempts);
  }

  /** Whether the file must be scanned. A submission that a user released in spite of a finding is not scanned again. */
  private needsScan({ form, releasedAt, reasons }: Submission): boolean {
    const isReleased = releasedAt !== null && reasons.some((one) => typeof one !== 'string');
    return this.virusScanner.isEnabled && form === 'application' && !isReleased;
  }

  /** Sends a submission to the mail server. Changes nothing in the database. */
  private async send(submission: Submission, attempt: Attempt): Promise<SendResult> {
    if (submission.form === 'contact') return this.delivered(enquiryMail(submission, this.settings), attempt);
    // If a scanner is configured, no file is mailed unscanned.
    const finding = this.needsScan(submission)
      ? await this.withFile(submission, attempt, (file, signal) => this.virusScanner.scan(file, signal))
      : undefined;
    if (finding === undefined) return this.sendApplication(submission, attempt);
    const { event } = await this.delivered(applicationMail(submission, this.settings, { finding }), attempt);
    return { state: 'quarantined', reasons: [...submission.reasons, { kind: 'virus', name: finding }], event };
  }

  /** Runs work on the file before a connection is used, under its own time limit. */
  private async withFile<T>(
    { resume }: ApplicationSubmission,
    attempt: Attempt,
    work: (file: Readable, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return attempt.run(async () => {
      const file = addAbortSignal(attempt.signal, await abortable(this.files.open(resume), attempt.signal));
      return work(file, attempt.signal);
    }, this.fileMaxMs);
  }

  private async delivered(mail: Mail, attempt: Attempt): Promise<SendResult> {
    return { state: 'delivered', event: { reply: await this.mailer.send(mail, attempt) } };
  }

  /** Sends an application. If the server rejects the file for its size, sends a mail that says how to get the file. */
  private async sendApplication(submission: ApplicationSubmission, attempt: Attempt): Promise<SendResult> {
    const isPdf = submission.resume.mediaType === 'application/pdf';
    const pdf = isPdf ? await this.withFile(submission, attempt, (file) => pdfTraits(file)) : {};
    const attached = () => this.files.open(submission.resume);
    try {
      return await this.delivered(applicationMail(submission, this.settings, { attached, ...pdf }), attempt);
    } catch (error) {
      if (!(error instanceof DeliveryError) || error.kind !== 'too-large') throw error;
      return this.delivered(applicationMail(submission, this.settings, { ...pdf }), attempt);
    }
  }

  /** Ends the lease. An interrupted attempt does not count. */
  private async interrupted(lease: Lease, { when, message }: AttemptInterrupted): Promise<void> {
    const { id: reference, requestId, attempts } = lease.submission;
    // The history shows why the mail may arrive twice.
    const isWritten = await this.submissions.endLease(
      lease,
      when === 'sending' ? { pauseMs: 0, attempts, error: message } : {},
    );
    if (when === 'sending') this.log.warn({ event: 'attempt interrupted', reference, requestId, attempts });
    if (!isWritten) this.logResult(lease, 'lease lost', attempts);
  }

  private async failed(lease: Lease, error: unknown): Promise<void> {
    const { id: reference, requestId, attempts: before } = lease.submission;
    const failure = deliveryErrorOf(error);
    const { kind, reason, reply: event } = failure;
    if (kind === 'mailbox-refused') this.recordRejection(recipientOf(lease.submission, this.settings), reference);
    if (kind === 'server-away') this.breakers.mailServer.open(failure);
    // A damaged file does not repair itself. A scanner that answers a probe fails on this file only.
    const isOnlyThisFile =
      error instanceof DamagedResumeError || (kind === 'scanner' && (await this.breakers.scanner.check()));
    const next = isOnlyThisFile ? 'retry' : AFTER_FAILURE[kind];
    deliveryMetrics.failedAttempts.inc({ kind });
    if (next === 'hold') return void (await this.submissions.endLease(lease, { error: reason }));
    const attempts = before + (next === 'wait' ? 0 : 1);
    const pauseMs = { wait: STORAGE_PAUSE_MS, retry: retryDelay(attempts), 'give up': undefined }[next];
    this.log.warn({ event: 'attempt failed', reference, requestId, kind, code: reason, attempts, pauseMs });
    if (pauseMs !== undefined)
      return void (await this.submissions.endLease(lease, { pauseMs, attempts, error: reason, event }));
    const isWritten = await this.submissions.endLease(lease, { state: 'failed', attempts, error: reason, event });
    this.logResult(lease, isWritten ? 'failed' : 'lease lost', attempts);
  }

  private recordRejection(mailbox: string, reference: string): void {
    const ids = this.rejections.get(mailbox) ?? new Set();
    this.rejections.set(mailbox, ids.add(reference));
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
