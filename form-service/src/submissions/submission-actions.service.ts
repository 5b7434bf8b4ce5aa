import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type StorageSettings } from '../config/settings.ts';
import { HandlingRepository } from './handling.repository.ts';
import { NotificationsRepository } from '../outbox/notifications.repository.ts';
import { SUBMISSION_STATES, type Handled, type Scope, type StaffAction, type SubmissionState } from './submission.ts';
import { SubmissionSearchRepository } from './submission-search.repository.ts';
import { SubmissionsRepository } from './submissions.repository.ts';

interface Action {
  /** States in which it is possible. */
  readonly from: readonly SubmissionState[];
  /** Event in the history. */
  readonly event?: StaffAction;
}

/** Actions of staff and operators on a submission. Inbox, pages and commands read this table. */
export const ACTIONS = {
  /** Sends what was held back to its recipient and to the webhook. It is not quarantined again. */
  release: { from: ['quarantined'], event: 'released' },
  /** Sends a mail and a webhook post again that were given up. */
  resend: { from: ['failed'], event: 'sent again' },
  /** Also sends a delivered mail again: a mail server can accept a mail and lose it. */
  sendAgain: { from: ['failed', 'delivered'], event: 'sent again' },
  /** Makes a webhook post again that was given up, of a submission whose mail was delivered. */
  repost: { from: ['delivered'], event: 'posted again' },
  /** Sends a submission to another mailbox, now and in future. */
  handOver: { from: ['failed', 'delivered'], event: 'sent on' },
  mark: { from: ['delivered', 'failed', 'quarantined'] },
  /** Erases a submission, unless it is being delivered at this moment. */
  erase: { from: SUBMISSION_STATES },
} as const satisfies Readonly<Record<string, Action>>;

/** Actions that send something. */
export type SendingAction = Exclude<keyof typeof ACTIONS, 'mark' | 'erase'>;

export function isPossible(action: keyof typeof ACTIONS, { state }: { readonly state: SubmissionState }): boolean {
  const { from }: Action = ACTIONS[action];
  return from.includes(state);
}

/** Result of an action on submissions. */
export interface ActionResult {
  /** References of submissions whose mail will be sent. */
  readonly mails: readonly string[];
  /** References of submissions that will be posted to the webhook again. */
  readonly posts: readonly string[];
}

/** Runs the actions of staff in the inbox and of operators on the command line. */
@Injectable()
export class SubmissionActions {
  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<StorageSettings, 'SUBMISSION_WEBHOOK_URL'>,
    private readonly submissions: SubmissionsRepository,
    private readonly search: SubmissionSearchRepository,
    private readonly handling: HandlingRepository,
    private readonly notifications: NotificationsRepository,
  ) {}

  /**
   * Runs an action on those submissions whose state allows it.
   *
   * @param by user or operator, for the history
   * @param to mailbox, for `handOver`
   */
  async send(action: SendingAction, ids: readonly string[], by: string, to?: string): Promise<ActionResult> {
    const { from, event } = ACTIONS[action];
    const isPosted = action === 'release' && this.settings.SUBMISSION_WEBHOOK_URL !== undefined;
    const notifications = isPosted ? (['webhook'] as const) : [];
    const mails =
      action === 'repost' ? [] : await this.submissions.requeue(ids, { from, event, by, to, notifications });
    if (action === 'handOver') return { mails, posts: [] };
    const posts = await this.notifications.requeuePosts(action === 'release' ? mails : ids);
    for (const id of posts.filter((one) => !mails.includes(one)))
      await this.submissions.record(id, { event: 'posted again', by });
    return { mails, posts };
  }

  /**
   * Marks submissions as dealt with.
   *
   * @param scope submissions that the user may see.
   * @returns time of the action, for the undo. A second click returns the time of the first one.
   */
  async mark(ids: readonly string[], scope: Scope, as: Handled, by: string): Promise<number | undefined> {
    const at = Date.now();
    const marked = await this.handling.mark(ids, { from: ACTIONS.mark.from, scope, as, by, at });
    if (marked.length > 0) return at;
    const [first] = await this.search.findAll(ids);
    return first?.handled === as && first.handledBy === by ? (first.handledAt ?? undefined) : undefined;
  }

  /** Repeats all webhook posts that were given up. @returns the references */
  async repostAll(by: string): Promise<readonly string[]> {
    const posts = await this.notifications.requeuePosts();
    for (const id of posts) await this.submissions.record(id, { event: 'posted again', by });
    return posts;
  }
}
