import { addAbortSignal } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { AlertsService } from '../alerts/alerts.service.ts';
import { isOfAnotherForm, recipientOf } from '../submissions/recipients.ts';
import { SETTINGS, type Settings } from '../settings/settings.ts';
import { FORM_KINDS } from '../contract/forms.ts';
import { Log } from '../observability/log.ts';
import { virusOf, virusReason, type Lease, type Submission } from '../submissions/submission.ts';
import type { SubmissionFile } from '../database/schema.ts';
import { DamagedStoredFileError, FileStorage } from '../files/file-storage.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { abortable, DeliveryError, FAILURE_KINDS } from '../outbox/attempt.ts';
import { Outbox, type Outcome, type Sender } from '../outbox/outbox.service.ts';
import { Mailer } from '../mail/mailer.service.ts';
import { submissionMail } from '../mail/mails/submission-mail.ts';
import { DeliveryQueue } from './delivery.queue.ts';
import { VirusScanner } from './virus-scanner.service.ts';

/**
 * Metrics of the worker, which register themselves with prom-client. Names and labels are fixed words, never a visitor's.
 */
export const deliveryMetrics = {
  settled: new Counter({
    name: 'kitewright_submissions_settled_total',
    help: 'Submissions that left the pending state, by form and new state',
    labelNames: ['form', 'state'],
  }),
  secondsToDeliver: new Histogram({
    name: 'kitewright_submission_delivery_seconds',
    help: 'Time from a submission being received, or made pending again, to its acceptance by the mail server',
    labelNames: ['form'],
    buckets: [0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400],
  }),
  failedAttempts: new Counter({
    name: 'kitewright_delivery_attempts_failed_total',
    help: 'Failed attempts to deliver, by kind of failure',
    labelNames: ['kind'],
  }),
  enqueued: new Counter({
    name: 'kitewright_submissions_enqueued_total',
    help: 'Submissions that the worker found due in the database and added to the queue',
  }),
};

// Prometheus sees no increase in a series that begins with 1.
for (const form of FORM_KINDS) {
  deliveryMetrics.secondsToDeliver.zero({ form });
  for (const state of ['delivered', 'failed', 'quarantined']) deliveryMetrics.settled.inc({ form, state }, 0);
}
for (const kind of FAILURE_KINDS) deliveryMetrics.failedAttempts.inc({ kind }, 0);

/** Time limit for the scan of a file. A storage or a scanner may stall in the middle. */
const FILE_MAX_MS = 2 * 60_000;

/** Kind of mail: the submission, or a notice that its file is infected. */
interface Sent {
  readonly state: 'delivered' | 'quarantined';
  readonly reasons?: readonly string[];
  /** Reply of the mail server. */
  readonly reply: string;
}

/**
 * Mails a submission to sales or HR. A job may name any submission, but only a due one is mailed, and only the holder of
 * the lease writes the outcome (fencing token).
 */
@Injectable()
export class DeliveryService implements Sender<Lease, Sent> {
  fileMaxMs = FILE_MAX_MS;
  private readonly log = new Log('Delivery');

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly submissions: SubmissionsRepository,
    private readonly files: FileStorage,
    private readonly mailer: Mailer,
    private readonly virusScanner: VirusScanner,
    private readonly queue: DeliveryQueue,
    private readonly alerts: AlertsService,
    private readonly outbox: Outbox,
  ) {}

  /** @throws StorageUnavailableError if the delivery cannot begin; the submission stays due */
  async deliver(id: string): Promise<void> {
    await this.outbox.run(async () => {
      const lease = await this.submissions.acquire(id);
      return lease ? [lease] : [];
    }, this);
  }

  attemptsOf({ submission }: Lease): number {
    return submission.attempts;
  }

  renew(lease: Lease): Promise<boolean> {
    return this.submissions.renew(lease);
  }

  /** Sends a submission to the mail server. Changes nothing in the database. */
  async send({ submission }: Lease, signal: AbortSignal): Promise<Sent> {
    try {
      return await (submission.resume
        ? this.sendWithFile(submission, submission.resume, signal)
        : this.sendMail(submission, {}, signal));
    } catch (error) {
      // A damaged file does not repair itself, so its attempts count.
      throw error instanceof DamagedStoredFileError ? new DeliveryError('unexpected', error.message) : error;
    }
  }

  async settle(lease: Lease, outcome: Outcome<Sent>): Promise<void> {
    const { sent, failure, attempts, pauseMs } = outcome;
    const { submission } = lease;
    const { id: reference, form, requestId, stateSince, lastError } = submission;
    const state = sent?.state ?? outcome.state;
    // Repeated waits for a part would fill the history.
    const isRepeated = attempts === submission.attempts && failure?.reason === lastError;
    const isWritten = await this.submissions.endLease(lease, {
      state,
      pauseMs,
      attempts,
      error: failure?.reason,
      reasons: sent?.reasons,
      event: isRepeated ? null : (failure?.reply ?? { reply: sent?.reply }),
      recipient: sent && this.newRecipientOf(submission),
    });
    if (failure) {
      const { kind, reason: code } = failure;
      deliveryMetrics.failedAttempts.inc({ kind });
      this.log.warn({ event: 'attempt failed', reference, requestId, kind, code, attempts, pauseMs });
    }
    if (failure?.kind === 'server-away') await this.queue.pause();
    if (!isWritten) this.log.log({ event: 'lease lost', reference, form, requestId, attempts });
    if (!isWritten || state === 'pending') return;
    const seconds = (Date.now() - stateSince) / 1_000;
    this.log.log({ event: state, reference, form, requestId, attempts, seconds });
    deliveryMetrics.settled.inc({ form, state });
    if (state === 'delivered') deliveryMetrics.secondsToDeliver.observe({ form }, seconds);
    else this.alerts.fire(`submission-${state}`, reference);
  }

  /** The other department has the mail now, so its inbox opens the submission. */
  private newRecipientOf(submission: Submission): string | undefined {
    const mailbox = recipientOf(submission, this.settings);
    return isOfAnotherForm(mailbox, submission.form, this.settings) ? mailbox : undefined;
  }

  /** Sends a submission with its file. A file that the server refuses is left out once, and the mail says so. */
  private async sendWithFile(submission: Submission, resume: SubmissionFile, signal: AbortSignal): Promise<Sent> {
    // If a scanner is configured, no file is mailed unscanned.
    const finding = this.needsScan(submission) ? await this.scan(resume, signal) : undefined;
    if (finding !== undefined) {
      const { reply } = await this.sendMail(submission, { finding }, signal);
      return { state: 'quarantined', reasons: [...submission.reasons, virusReason(finding)], reply };
    }
    try {
      return await this.sendMail(submission, { attached: () => this.files.open(resume) }, signal);
    } catch (error) {
      if (!(error instanceof DeliveryError) || !error.mayBeFile) throw error;
      const { id: reference, requestId } = submission;
      this.log.warn({ event: 'file refused', reference, requestId, kind: error.kind, code: error.reason });
      return this.sendMail(submission, { refusal: error.reply?.reply }, signal);
    }
  }

  private async sendMail(
    submission: Submission,
    content: Parameters<typeof submissionMail>[2],
    signal: AbortSignal,
  ): Promise<Sent> {
    const mail = submissionMail(submission, this.settings, content);
    return { state: 'delivered', reply: await this.mailer.send(mail, signal) };
  }

  /** Whether the file must be scanned. A submission that a user released in spite of a finding is not scanned again. */
  private needsScan({ releasedAt, reasons }: Submission): boolean {
    const isReleased = releasedAt !== null && reasons.some((one) => virusOf(one) !== undefined);
    return this.virusScanner.isEnabled && !isReleased;
  }

  /** Scans the file before a connection is used, under its own time limit. @returns the name of the malware, if any */
  private async scan(resume: SubmissionFile, attempt: AbortSignal): Promise<string | undefined> {
    const signal = AbortSignal.any([attempt, AbortSignal.timeout(this.fileMaxMs)]);
    try {
      const file = addAbortSignal(signal, await abortable(this.files.open(resume), signal));
      return await this.virusScanner.scan(file, signal);
    } catch (error) {
      // A file that takes too long is not the scanner's fault, so its attempts count.
      signal.throwIfAborted();
      throw error;
    }
  }
}
