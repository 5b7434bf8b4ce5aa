import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings.ts';
import type { Application } from '../contract/application.ts';
import type { Contact } from '../contract/contact.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { DeliveryQueue } from '../delivery/delivery.queue.ts';
import { FormTokenService } from '../spam/form-token.service.ts';
import { SpamFilter, type Sender } from '../spam/spam-filter.service.ts';
import { ResumeFiles } from '../submissions/resume-files.ts';
import { keyedSubmissionId, randomSubmissionId } from '../submissions/submission-id.ts';
import type { ResumeFile } from '../database/schema.ts';
import type { FollowUpKind, NewSubmission, Submission } from '../submissions/submission.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { HttpError } from './http-error.ts';

const INSERT_TRIES = 5;

/** A validated application whose file is not stored yet. */
interface UploadedApplication {
  readonly form: 'application';
  readonly fields: Application;
  readonly resume: Omit<ResumeFile, 'key'>;
  readonly uploadPath: string;
}

/** A validated submission that is not stored yet. */
export interface SubmitCommand {
  readonly content: { readonly form: 'contact'; readonly fields: Contact } | UploadedApplication;
  readonly idempotencyKey: string | undefined;
  readonly requestId: string;
  readonly sender: Sender;
}

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
    private readonly queue: DeliveryQueue,
    private readonly spamFilter: SpamFilter,
    private readonly tokens: FormTokenService,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'ACKNOWLEDGE' | 'SUBMISSION_WEBHOOK_URL'>,
  ) {}

  /**
   * @throws HttpError 409 when the key was used for other content
   * @throws StorageUnavailableError when nothing can be stored now; then nothing was stored
   */
  async submit({ content, idempotencyKey, requestId, sender }: SubmitCommand): Promise<SubmitResult> {
    const { form } = content;
    const id = idempotencyKey === undefined ? randomSubmissionId() : keyedSubmissionId(form, idempotencyKey);
    const reasons = await this.spamFilter.reasonsFor({ ...content, sender, submissionId: id });
    const quarantined = reasons.length > 0;
    const contentDigest = digestOf(content);
    const followUps = quarantined ? [] : await this.followUpsOf(sender);
    const base = { id, quarantined, reasons, requestId, contentDigest, followUps };
    const earlier =
      content.form === 'contact'
        ? await this.insert({ ...base, ...content })
        : await this.insertApplication(base, content);
    if (earlier) return this.repeated(earlier, contentDigest);
    if (!quarantined) this.queue.add(id);
    return { reference: id, repeat: false, quarantined };
  }

  /** What is to be sent beside the mail. Only somebody who filled in our form is written to. */
  private async followUpsOf({ formToken }: Sender): Promise<FollowUpKind[]> {
    const { ACKNOWLEDGE, SUBMISSION_WEBHOOK_URL } = this.settings;
    const kinds: FollowUpKind[] = SUBMISSION_WEBHOOK_URL ? ['webhook'] : [];
    if (ACKNOWLEDGE === 'on' && (await this.tokens.isValid(formToken))) kinds.push('acknowledgement');
    return kinds;
  }

  /** Stores the file first, then the row that names it. */
  private async insertApplication(
    base: SubmissionBase,
    { form, fields, resume, uploadPath }: UploadedApplication,
  ): Promise<Submission | undefined> {
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
   *
   * @returns the submission that is already there; undefined when this one was stored
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

function digestOf(content: SubmitCommand['content']): string {
  const fields = Object.entries(content.fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const file = content.form === 'application' ? content.resume.sha256 : undefined;
  return hash('sha256', JSON.stringify([content.form, fields, file]), 'hex');
}
