import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { MINUTE_MS } from '../settings/durations.ts';
import { SETTINGS, type Settings } from '../settings/settings.ts';
import type { Filled } from '../contract/forms.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { DeliveryQueue } from '../delivery/delivery.queue.ts';
import { FileStorage } from '../files/file-storage.ts';
import type { NotificationKind, SubmissionFile } from '../database/schema.ts';
import { keyedSubmissionId, type NewSubmission, type Submission } from '../submissions/submission.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { HttpError } from '../http/http-error.ts';
import { serviceWords } from '../contract/service-words.ts';
import { FormTokenService } from './form-token.service.ts';
import { SpamFilter, type SenderFacts } from './spam-filter.service.ts';

const words = serviceWords('errors');

/** After this time no INSERT is in progress: PostgreSQL cancels a statement after 10 s. */
export const INSERT_SETTLED_MS = 20_000;

/** Without an idempotency key, the same content of the same client within this time is the same submission. */
const REPEAT_MS = 10 * MINUTE_MS;

/** A validated submission that is not stored yet. */
export interface SubmitCommand {
  readonly content: Filled & {
    /** The file on the local disk, if there is one. */
    readonly upload?: { readonly path: string; readonly facts: Omit<SubmissionFile, 'key'> };
  };
  readonly idempotencyKey: string | undefined;
  readonly requestId: string;
  readonly sender: SenderFacts;
}

export interface SubmitResult {
  readonly reference: string;
  /** Whether the same content was accepted before under the same idempotency key. */
  readonly isRepeat: boolean;
  /** Whether the submission waits for an operator. The response does not show it. */
  readonly quarantined: boolean;
}

/**
 * Stores a submission durably, then queues it for delivery unless it is quarantined. Once {@link submit} resolves, the
 * response may promise delivery.
 */
@Injectable()
export class IntakeService {
  constructor(
    private readonly submissions: SubmissionsRepository,
    private readonly files: FileStorage,
    private readonly queue: DeliveryQueue,
    private readonly spamFilter: SpamFilter,
    private readonly tokens: FormTokenService,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'ACKNOWLEDGE' | 'SUBMISSION_WEBHOOK_URL'>,
  ) {}

  /**
   * @throws HttpError 409 if the idempotency key was used for other content
   * @throws StorageUnavailableError if nothing was stored
   */
  async submit({ content, idempotencyKey, requestId, sender }: SubmitCommand): Promise<SubmitResult> {
    const { form, fields, upload } = content;
    const contentDigest = digestOf(content);
    const id =
      idempotencyKey === undefined
        ? await this.idWithoutKey(form, contentDigest, sender.client)
        : keyedSubmissionId(form, idempotencyKey);
    const reasons = await this.spamFilter.reasonsFor(content, sender);
    const quarantined = reasons.length > 0;
    const notifications = quarantined ? [] : await this.notificationsOf(sender);
    const submission = { id, form, fields, quarantined, reasons, requestId, contentDigest, notifications };
    const existing = upload ? await this.insertWithFile(submission, upload) : await this.insert(submission);
    if (existing) return this.answerRepeat(existing, contentDigest);
    if (!quarantined) this.queue.add(id);
    return { reference: id, isRepeat: false, quarantined };
  }

  /**
   * Derives the id from content, client and time, so that a second press or a reload without JavaScript finds the first
   * submission. That may have been received shortly before the current window of time began.
   */
  private async idWithoutKey(form: string, contentDigest: string, client: string): Promise<string> {
    const now = Date.now();
    const window = Math.floor(now / REPEAT_MS);
    // No client can send a key with a control character.
    const idIn = (start: number) => keyedSubmissionId(form, [contentDigest, client, start].join('\n'));
    const earlier = await this.submissions.find(idIn(window - 1));
    return earlier && now - earlier.receivedAt < REPEAT_MS ? earlier.id : idIn(window);
  }

  /** Chooses the notifications. Only a submission with a valid form token is acknowledged (backscatter). */
  private async notificationsOf({ formToken }: SenderFacts): Promise<NotificationKind[]> {
    const { ACKNOWLEDGE, SUBMISSION_WEBHOOK_URL } = this.settings;
    const kinds: NotificationKind[] = SUBMISSION_WEBHOOK_URL ? ['webhook'] : [];
    if (ACKNOWLEDGE === 'on' && (await this.tokens.isValid(formToken))) kinds.push('acknowledgement');
    return kinds;
  }

  /** Stores the file, then the row that names it. */
  private async insertWithFile(
    submission: NewSubmission,
    { path, facts }: NonNullable<SubmitCommand['content']['upload']>,
  ): Promise<Submission | undefined> {
    const key = await this.files.keep(path, submission.id);
    const removeUnnamed = () => this.removeUnnamed(key, submission.id).catch(() => undefined);
    try {
      const existing = await this.insert({ ...submission, resume: { ...facts, key } });
      if (existing) await removeUnnamed();
      return existing;
    } catch (error) {
      // The INSERT of a broken connection may still be committed. Housekeeping removes a file that remains orphaned.
      if (error instanceof StorageUnavailableError) setTimeout(removeUnnamed, INSERT_SETTLED_MS).unref();
      else await removeUnnamed();
      throw error;
    }
  }

  /** Inserts the row. @returns the submission that is stored already; undefined if this one was inserted */
  private async insert(submission: NewSubmission): Promise<Submission | undefined> {
    if (await this.submissions.insert(submission)) return undefined;
    const existing = await this.submissions.find(submission.id);
    // The client sends it again.
    if (!existing) throw new StorageUnavailableError('DATABASE_URL: the row with this id was erased meanwhile');
    return existing;
  }

  /**
   * Removes the file of a failed INSERT if the database confirms that no row names it. The INSERT may have succeeded
   * although its response was lost.
   */
  private async removeUnnamed(key: string, id: string): Promise<void> {
    const stored = await this.submissions.find(id);
    if (stored?.resume?.key !== key) await this.files.remove(key);
  }

  /** @throws HttpError 409 */
  private answerRepeat({ id, state, ...existing }: Submission, contentDigest: string): SubmitResult {
    if (existing.contentDigest !== contentDigest) throw new HttpError('conflict', words.alreadySent);
    if (state === 'pending') this.queue.add(id);
    return { reference: id, isRepeat: true, quarantined: state === 'quarantined' };
  }
}

function digestOf({ form, fields, upload }: SubmitCommand['content']): string {
  const sorted = Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify([form, sorted, upload?.facts.sha256]), 'hex');
}
