import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type StorageSettings } from '../config/settings.ts';
import { ErasureService, type Remainder } from './erasure.service.ts';
import { ErasuresRepository } from './erasures.repository.ts';
import { HandlingRepository } from './handling.repository.ts';
import { NotificationsRepository } from './notifications.repository.ts';
import type { Handled, Marked, Scope, SubmissionState } from './submission.ts';
import { SubmissionListsRepository } from './submission-lists.repository.ts';
import { SubmissionsRepository } from './submissions.repository.ts';

/** Result of an action on submissions. */
export interface ActionResult {
  /** References of submissions whose mail will be sent. */
  readonly mails: readonly string[];
  /** References of submissions that will be posted to the webhook again. */
  readonly posts: readonly string[];
}

/** Actions of staff in the inbox and of operators on the command line. */
@Injectable()
export class SubmissionActions {
  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<StorageSettings, 'SUBMISSION_WEBHOOK_URL'>,
    private readonly submissions: SubmissionsRepository,
    private readonly lists: SubmissionListsRepository,
    private readonly handling: HandlingRepository,
    private readonly notifications: NotificationsRepository,
    private readonly erasures: ErasuresRepository,
    private readonly erasure: ErasureService,
  ) {}

  /** Sends quarantined submissions to their recipient and to the webhook. They are not quarantined again. */
  async release(ids: readonly string[], by: string): Promise<ActionResult> {
    const notifications = this.settings.SUBMISSION_WEBHOOK_URL ? (['webhook'] as const) : [];
    const mails = await this.submissions.requeue(ids, ['quarantined'], { released: true, by, notifications });
    return { mails, posts: await this.notifications.requeuePosts(mails) };
  }

  /**
   * Sends mails and webhook posts again that were given up.
   *
   * @param isAgain whether to send delivered mails again as well: a mail server can accept a mail and lose it.
   */
  async resend(ids: readonly string[], by: string, isAgain = false): Promise<ActionResult> {
    const from: readonly SubmissionState[] = isAgain ? ['failed', 'delivered'] : ['failed'];
    const mails = await this.submissions.requeue(ids, from, { by });
    const posts = await this.notifications.requeuePosts(ids);
    for (const id of posts.filter((one) => !mails.includes(one)))
      await this.submissions.record(id, { event: 'posted again', by });
    return { mails, posts };
  }

  /** Sends submissions to another mailbox, now and in future. */
  async handOver(ids: readonly string[], to: string, by: string): Promise<ActionResult> {
    return { mails: await this.submissions.requeue(ids, ['failed', 'delivered'], { to, by }), posts: [] };
  }

  /**
   * Marks submissions as dealt with, except pending ones.
   *
   * @param scope submissions that the user may see.
   * @returns time of the action, for {@link undo}. A second click returns the time of the first one.
   */
  async mark(ids: readonly string[], scope: Scope, as: Handled, by: string): Promise<number | undefined> {
    const at = Date.now();
    const marked = await this.handling.mark(ids, scope, as, by, at);
    if (marked.length > 0) return at;
    const [first] = await this.lists.findAll(ids);
    return first?.handled === as && first.handledBy === by ? (first.handledAt ?? undefined) : undefined;
  }

  /** Removes the marks that the user set at a time, or the mark of one submission. @returns the references */
  undo(by: string, which: Marked): Promise<string[]> {
    return this.handling.unmark(by, which);
  }

  /** Appends a note to a submission. @returns false if its history is too long for another one */
  addNote(id: string, text: string, by: string): Promise<boolean> {
    return this.handling.addNote(id, text, by);
  }

  /**
   * Erases the rows of submissions that are not leased. Call {@link completeErasures} afterwards, once for all pages of
   * rows.
   *
   * @param firstAt see `ErasuresRepository.erase`.
   * @returns the references of the erased submissions.
   */
  erase(ids: readonly string[], firstAt?: number): Promise<string[]> {
    return this.erasures.erase(ids, firstAt);
  }

  /** Removes files and copies of all erased rows. @returns the remainder, which the worker retries to remove */
  completeErasures(): Promise<Remainder> {
    return this.erasure.cleanUp();
  }

  /** Repeats all webhook posts that were given up. @returns the references */
  async repostAll(by: string): Promise<readonly string[]> {
    const posts = await this.notifications.requeuePosts();
    for (const id of posts) await this.submissions.record(id, { event: 'posted again', by });
    return posts;
  }
}
