import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings.ts';
import type { Application } from '../contract/application.ts';
import type { Contact } from '../contract/contact.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { DeliveryQueue } from '../delivery/delivery.queue.ts';
import { StorageHealth } from '../observability/storage.health.ts';
import { FormTokenService } from '../spam/form-token.service.ts';
import { SpamFilter, type Sender } from '../spam/spam-filter.service.ts';
import { ResumeFiles } from '../submissions/resume-files.ts';
import { keyedSubmissionId, randomSubmissionId } from '../submissions/submission-id.ts';
import type { FollowUpKind, NewSubmission, ResumeFile, Submission } from '../submissions/submission.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { HttpError } from './http-error.ts';

const INSERT_TRIES = 5;

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
    private readonly tokens: FormTokenService,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'ACKNOWLEDGE' | 'SUBMISSION_WEBHOOK_URL'>,
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
    const followUps = quarantined ? [] : await this.followUpsOf(command);
    const base = { id, quarantined, reasons, requestId: command.requestId, contentDigest, followUps };
    const earlier = await this.store(command, base);
    if (earlier) return this.repeated(earlier, contentDigest);
    if (!quarantined) this.queue.add(id);
    return { reference: id, repeat: false, quarantined };
  }

  /** What is to be sent beside the mail. Only somebody who filled in our form is written to. */
  private async followUpsOf({ sender }: SubmitCommand): Promise<FollowUpKind[]> {
    const { ACKNOWLEDGE, SUBMISSION_WEBHOOK_URL } = this.settings;
    const kinds: FollowUpKind[] = SUBMISSION_WEBHOOK_URL ? ['webhook'] : [];
    if (ACKNOWLEDGE === 'on' && (await this.tokens.isValid(sender.formToken))) kinds.push('acknowledgement');
    return kinds;
  }

  /** @returns the submission that is already there under this id; undefined when this one was stored */
  private store(command: SubmitCommand, base: SubmissionBase): Promise<Submission | undefined> {
    if (command.form === 'application') return this.storeApplication(command, base);
    const { form, fields } = command;
    return this.insert({ ...base, form, fields });
  }

  /** Stores the file first, then the row that names it. */
  private async storeApplication(
    command: Extract<SubmitCommand, { form: 'application' }>,
    base: SubmissionBase,
  ): Promise<Submission | undefined> {
    const { form, fields, resume, uploadPath } = command;
    if (!this.storage.hasRoom) throw new StorageUnavailableError('RESUMES_URL: no room for another file');
    const key = await this.files.keep(uploadPath, base.id);
    let isStored = false;
    try {
      const earlier = await this.insert({ ...base, form, fields, resume: { ...resume, key } });
      isStored = earlier === undefined;
      return earlier;
    } finally {
      if (!isStored) await this.removeUnnamed(key, base.id).catch(() => undefined);
    }
  }

  /**
   * Inserts the row, or finds the one that has its id. A row that is erased between the two is no answer: the INSERT is
   * tried again, so that what is answered is stored.
   */
  private async insert(submission: NewSubmission): Promise<Submission | undefined> {
    for (let tries = 0; tries < INSERT_TRIES; tries++) {
      if (await this.submissions.insert(submission)) return undefined;
      const earlier = await this.submissions.find(submission.id);
      if (earlier) return earlier;
    }
    throw new StorageUnavailableError('DATABASE_URL: the row is there, and then it is not, again and again');
  }

  /**
   * Removes the file of a failed INSERT, but only when the database confirms that there is no row: the INSERT may have
   * succeeded although its answer was lost.
   */
  private async removeUnnamed(key: string, id: string): Promise<void> {
    const named = await this.submissions.resumeKeys([id]);
    if (!named.has(key)) await this.files.remove(key);
  }

  private repeated({ id, state, ...earlier }: Submission, contentDigest: string): SubmitResult {
    if (earlier.contentDigest !== contentDigest) {
      throw new HttpError(
        409,
        'conflict',
        'This form was already sent with other content. Please reload the page and send it again.',
      );
    }
    if (state === 'pending') this.queue.add(id);
    return { reference: id, repeat: true, quarantined: state === 'quarantined' };
  }
}

type SubmissionBase = Pick<
  NewSubmission,
  'id' | 'quarantined' | 'reasons' | 'requestId' | 'contentDigest' | 'followUps'
>;

function digestOf(command: SubmitCommand): string {
  const fields = Object.entries(command.fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const file = command.form === 'application' ? command.resume.sha256 : undefined;
  return hash('sha256', JSON.stringify([command.form, fields, file]), 'hex');
}
