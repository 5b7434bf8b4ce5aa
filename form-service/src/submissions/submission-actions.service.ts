import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type StorageSettings } from '../settings/settings.ts';
import { HandlingRepository } from './handling.repository.ts';
import { NotificationsRepository } from '../outbox/notifications.repository.ts';
import type { Scope } from './scope.ts';
import type { Handled, StaffAction, Submission, SubmissionState } from './submission.ts';
import { SubmissionsRepository } from './submissions.repository.ts';

interface Action {
  /** States in which it is possible. */
  readonly from: readonly SubmissionState[];
  /** Last part of its address in the inbox, if it needs nothing but a press of a button. */
  readonly address?: string;
  /** Event in the history. */
  readonly event?: StaffAction;
  /** States in which it also repeats a webhook post that was given up. Actions that send have it. */
  readonly posts?: readonly SubmissionState[];
}

/** States in which posts are made: all but the quarantine. */
const POSTED = ['pending', 'delivered', 'failed'] as const;

/**
 * Actions of staff and operators that a submission's state can forbid. Inbox, pages and commands read this table. Notes,
 * labels, reminders, who answers and erasure are possible in every state.
 */
export const ACTIONS = {
  /** Sends what was held back to its recipient and to the webhook. It is not quarantined again. */
  release: { from: ['quarantined'], address: 'release', event: 'released', posts: ['quarantined'] },
  /** Sends a mail and a webhook post again that were given up. */
  resend: { from: ['failed'], event: 'sent again', posts: POSTED },
  /** Also sends a delivered mail again: a mail server can accept a mail and lose it. */
  sendAgain: { from: ['failed', 'delivered'], address: 'resend', event: 'sent again', posts: POSTED },
  /** Sends a mail at once that waits for its next attempt. */
  sendNow: { from: ['pending'], address: 'send-now', event: 'sent again', posts: [] },
  /** Ends the attempts to deliver a mail. */
  giveUp: { from: ['pending'], address: 'give-up', event: 'given up' },
  /** Makes a webhook post again that was given up, of a submission whose mail was delivered. */
  repost: { from: ['delivered'], address: 'repost', event: 'posted again', posts: ['delivered'] },
  /** Sends a submission to another mailbox, now and in future. */
  handOver: { from: ['failed', 'delivered'], event: 'sent on', posts: [] },
  mark: { from: ['delivered', 'failed', 'quarantined'] },
} as const satisfies Readonly<Record<string, Action>>;

export type ActionName = keyof typeof ACTIONS;

/** Actions that send something. */
export type SendingAction = {
  [Name in ActionName]: (typeof ACTIONS)[Name] extends { readonly posts: unknown } ? Name : never;
}[ActionName];

/** Returns the action that has this address in the inbox. */
export const actionAt = (address: string) =>
  (Object.keys(ACTIONS) as ActionName[]).find((name) => (ACTIONS[name] as Action).address === address) as
    | SendingAction
    | 'giveUp'
    | undefined;

/** Whether a state allows an action. A pending submission must wait for its next attempt. */
export function isPossible(action: ActionName, { state, nextAttemptAt }: Pick<Submission, 'state' | 'nextAttemptAt'>) {
  const { from }: Action = ACTIONS[action];
  return from.includes(state) && (state !== 'pending' || nextAttemptAt > 0);
}

/** Runs the actions of staff in the inbox and of operators on the command line. */
@Injectable()
export class SubmissionActions {
  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<StorageSettings, 'SUBMISSION_WEBHOOK_URL'>,
    private readonly submissions: SubmissionsRepository,
    private readonly handling: HandlingRepository,
    private readonly notifications: NotificationsRepository,
  ) {}

  /**
   * Runs an action on those submissions whose state allows it.
   *
   * @param by user or operator, for the history
   * @param to mailbox, for `handOver`
   * @param version that the user's page showed
   * @returns the references of those whose mail will be sent, and of those that will be posted to the webhook again
   */
  async send(action: SendingAction, ids: readonly string[], by: string, to?: string, version?: number) {
    const { from, event, posts: posted } = ACTIONS[action];
    const isPosted = action === 'release' && this.settings.SUBMISSION_WEBHOOK_URL !== undefined;
    const notifications = isPosted ? (['webhook'] as const) : [];
    // First, because the mail changes the state.
    const posts = await this.notifications.requeuePosts(posted, ids);
    const requeued = { from, event, by, to, version, notifications };
    const mails = action === 'repost' ? [] : await this.submissions.requeue(ids, requeued);
    for (const id of posts.filter((one) => !mails.includes(one)))
      await this.submissions.record(id, { event: 'posted again', by });
    return { mails, posts };
  }

  /**
   * Runs an action on one submission as a page has shown it.
   *
   * @returns false if it has changed meanwhile. A second press of the same user is done already.
   */
  async run(
    action: SendingAction | 'giveUp',
    submission: Submission,
    { by, version, to }: { readonly by: string; readonly version: number; readonly to?: string },
  ): Promise<boolean> {
    const { id } = submission;
    if (version === submission.version && isPossible(action, submission)) {
      if (action === 'giveUp') return this.handling.giveUp(id, by, version);
      const { mails, posts } = await this.send(action, [id], by, to, version);
      if (mails.length + posts.length > 0) return true;
    }
    return this.handling.isRepeated(id, { event: ACTIONS[action].event, by, ...(to && { to }) });
  }

  /**
   * Marks submissions as dealt with.
   *
   * @param scope submissions that the user may see
   * @returns time of the action, for the undo. A second press returns the time of the first one
   */
  async mark(
    ids: readonly string[],
    scope: Scope,
    as: Handled,
    by: string,
    version?: number,
  ): Promise<number | undefined> {
    const at = Date.now();
    const marked = await this.handling.mark(ids, { from: ACTIONS.mark.from, scope, as, by, at, version });
    if (marked.length > 0) return at;
    const [id = ''] = ids;
    const isDone = version === undefined || (await this.handling.isRepeated(id, { event: as, by }));
    return isDone ? this.handling.latestMark(by, as) : undefined;
  }

  /** Repeats all webhook posts that were given up, but none of the quarantine. @returns the references */
  async repostAll(by: string): Promise<readonly string[]> {
    const posts = await this.notifications.requeuePosts(POSTED);
    for (const id of posts) await this.submissions.record(id, { event: 'posted again', by });
    return posts;
  }
}
