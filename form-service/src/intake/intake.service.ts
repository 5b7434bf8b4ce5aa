import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Application } from '../contract/application.ts';
import type { Contact } from '../contract/contact.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { DeliveryQueue } from '../delivery/delivery.queue.ts';
import { StorageHealth } from '../observability/storage.health.ts';
import type { Sender } from '../spam/sender.ts';
import { SpamFilter } from '../spam/spam-filter.service.ts';
import { ResumeFiles } from '../submissions/resume-files.ts';
import { keyedSubmissionId, randomSubmissionId } from '../submissions/submission-id.ts';
import type { NewSubmission, ResumeFile } from '../submissions/submission.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { HttpError } from './http-error.ts';
import { IntakeMetrics } from './intake.metrics.ts';

/** A validated submission that is not stored yet. */
export type SubmitCommand = (
  | { readonly form: 'contact'; readonly fields: Contact }
  | {
      readonly form: 'application';
      readonly fields: Application;
      readonly resume: Omit<ResumeFile, 'key'>;
      readonly uploadPath: string;
    }
) & { readonly idempotencyKey: string | undefined; readonly requestId: string; readonly sender: Sender };

export interface SubmitResult {
  readonly reference: string;
  /** The same content was accepted before under the same key. */
  readonly repeat: boolean;
  /** The submission waits for an operator; the visitor is not told. */
  readonly quarantined: boolean;
}

/**
 * Stores a submission durably, then queues it for delivery, unless it looks like spam. When this returns, the visitor
 * may be promised delivery.
 */
@Injectable()
export class IntakeService {
  constructor(
    private readonly submissions: SubmissionsRepository,
    private readonly files: ResumeFiles,
    private readonly storage: StorageHealth,
    private readonly queue: DeliveryQueue,
    private readonly spamFilter: SpamFilter,
    private readonly metrics: IntakeMetrics,
  ) {}

  /**
   * @throws HttpError 409 when the key was used for other content
   * @throws StorageUnavailableError when nothing can be stored now; then nothing was stored
   */
  async submit(command: SubmitCommand): Promise<SubmitResult> {
    const { form, idempotencyKey } = command;
    const id = idempotencyKey === undefined ? randomSubmissionId() : keyedSubmissionId(form, idempotencyKey);
    const reasons = await this.spamFilter.reasonsFor({ ...command, submissionId: id });
    const quarantined = reasons.length > 0;
    const contentDigest = digestOf(command);
    const base = { id, quarantined, reasons, requestId: command.requestId, contentDigest };
    if (!(await this.store(command, base))) return this.repeated(id, contentDigest);
    if (quarantined) this.metrics.countQuarantined(form, reasons);
    else this.queue.add(id);
    return { reference: id, repeat: false, quarantined };
  }

  private store(command: SubmitCommand, base: SubmissionBase): Promise<boolean> {
    if (command.form === 'application') return this.storeApplication(command, base);
    const { form, fields } = command;
    return this.submissions.insert({ ...base, form, fields });
  }

  /** Stores the file first, then the row that names it. */
  private async storeApplication(
    command: Extract<SubmitCommand, { form: 'application' }>,
    base: SubmissionBase,
  ): Promise<boolean> {
    const { form, fields, resume, uploadPath } = command;
    if (!this.storage.hasRoom) throw new StorageUnavailableError('RESUMES_URL: no room for another file');
    const key = await this.files.keep(uploadPath, base.id);
    let isStored = false;
    try {
      isStored = await this.submissions.insert({ ...base, form, fields, resume: { ...resume, key } });
      return isStored;
    } finally {
      if (!isStored) await this.removeUnnamed(key, base.id).catch(() => undefined);
    }
  }

  /**
   * Removes the file of a failed INSERT, but only when the database confirms that there is no row: the INSERT may have
   * succeeded although its answer was lost.
   */
  private async removeUnnamed(key: string, id: string): Promise<void> {
    const named = await this.submissions.resumeKeys([id]);
    if (!named.has(key)) await this.files.remove(key);
  }

  private async repeated(id: string, contentDigest: string): Promise<SubmitResult> {
    const existing = await this.submissions.find(id);
    if (existing && existing.contentDigest !== contentDigest) {
      throw new HttpError(
        409,
        'conflict',
        'This form was already sent with other content. Please reload the page and send it again.',
      );
    }
    if (existing?.state === 'pending') this.queue.add(id);
    return { reference: id, repeat: true, quarantined: existing?.state === 'quarantined' };
  }
}

type SubmissionBase = Pick<NewSubmission, 'id' | 'quarantined' | 'reasons' | 'requestId' | 'contentDigest'>;

function digestOf(command: SubmitCommand): string {
  const fields = Object.entries(command.fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const file = command.form === 'application' ? command.resume.sha256 : undefined;
  return hash('sha256', JSON.stringify([command.form, fields, file]), 'hex');
}
