import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type StorageSettings } from '../config/settings.ts';
import { HandlingRepository } from './handling.repository.ts';
import { NotificationsRepository } from '../outbox/notifications.repository.ts';
import {
  SUBMISSION_STATES,
  type Handled,
  type HistoryEvent,
  type Scope,
  type StaffAction,
  type SubmissionState,
} from './submission.ts';
import { SubmissionSearchRepository } from './submission-search.repository.ts';
import { SubmissionsRepository } from './submissions.repository.ts';

interface Action {
  /** States in which it is possible. */
  readonly from: readonly SubmissionState[];
  /** Last part of its address in the inbox, unless only a command runs it. */
  readonly address: string | undefined;
  /** Event in the history. */
  readonly event?: StaffAction;
  /** States in which it also repeats a webhook post that was given up. Actions that send have it. */
  readonly posts?: readonly SubmissionState[];
}

/** States in which posts are made: all but the quarantine. */
const POSTED = ['pending', 'delivered', 'failed'] as const;

/** Actions of staff and operators on a submission. Inbox, pages and commands read this table. */
export const ACTIONS = {
  /** Sends what was held back to its recipient and to the webhook. It is not quarantined again. */
  release: { from: ['quarantined'], address: 'release', event: 'released', posts: ['quarantined'] },
  /** Sends a mail and a webhook post again that were given up. */
  resend: { from: ['failed'], address: undefined, event: 'sent again', posts: POSTED },
  /** Also sends a delivered mail again: a mail server can accept a mail and lose it. */
  sendAgain: { from: ['failed', 'delivered'], address: 'resend', event: 'sent again', posts: POSTED },
  /** Makes a webhook post again that was given up, of a submission whose mail was delivered. */
  repost: { from: ['delivered'], address: 'repost', event: 'posted again', posts: ['delivered'] },
  /** Sends a submission to another mailbox, now and in future. */
  handOver: { from: ['failed', 'delivered'], address: 'send', event: 'sent on', posts: [] },
  mark: { from: ['delivered', 'failed', 'quarantined'], address: 'mark' },
  /** Says who answers, until it is given back, marked or handed over. */
  take: { from: SUBMISSION_STATES, address: 'take', event: 'taken' },
  label: { from: SUBMISSION_STATES, address: 'label', event: 'labelled' },
  /** Brings a submission back to the top of the list on a day. */
  remind: { from: SUBMISSION_STATES, address: 'remind', event: 'reminder' },
  /** Erases a submission, unless it is being delivered at this moment. */
  erase: { from: SUBMISSION_STATES, address: 'erase' },
} as const satisfies Readonly<Record<string, Action>>;

type ActionName = keyof typeof ACTIONS;

/** Actions that send something. */
export type SendingAction = {
  [Name in ActionName]: (typeof ACTIONS)[Name] extends { readonly posts: unknown } ? Name : never;
}[ActionName];

/** Returns the sending action with this address in the inbox. */
export function sendingActionAt(address: string): SendingAction | undefined {
  const isMeant = (name: ActionName) => ACTIONS[name].address === address && 'posts' in ACTIONS[name];
  return (Object.keys(ACTIONS) as SendingAction[]).find(isMeant);
}

export function isPossible(action: ActionName, { state }: { readonly state: SubmissionState }): boolean {
  const { from }: Action = ACTIONS[action];
  return from.includes(state);
}

/** Mailbox that a submission is sent on to, and why. */
export type SentOn = Pick<HistoryEvent, 'to' | 'text'>;

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
   * @param sentOn for `handOver`
   */
  async send(action: SendingAction, ids: readonly string[], by: string, sentOn?: SentOn): Promise<ActionResult> {
    const { from, event, posts: posted } = ACTIONS[action];
    const isPosted = action === 'release' && this.settings.SUBMISSION_WEBHOOK_URL !== undefined;
    const notifications = isPosted ? (['webhook'] as const) : [];
    // First, because the mail changes the state.
    const posts = await this.notifications.requeuePosts(posted, ids);
    const mails =
      action === 'repost' ? [] : await this.submissions.requeue(ids, { from, event, by, ...sentOn, notifications });
    for (const id of posts.filter((one) => !mails.includes(one)))
      await this.submissions.record(id, { event: 'posted again', by });
    return { mails, posts };
  }

  /**
   * Marks submissions as dealt with.
   *
   * @param scope submissions that the user may see.
   * @param at time of the action.
   * @returns time of the action, for the undo. A second click returns the time of the first one.
   */
  async mark(
    ids: readonly string[],
    scope: Scope,
    as: Handled,
    by: string,
    at = Date.now(),
  ): Promise<number | undefined> {
    const marked = await this.handling.mark(ids, { from: ACTIONS.mark.from, scope, as, by, at });
    if (marked.length > 0) return at;
    const [first] = await this.search.findAll(ids.slice(0, 1));
    return first?.handled === as && first.handledBy === by ? (first.handledAt ?? undefined) : undefined;
  }

  /** Repeats all webhook posts that were given up, but none of the quarantine. @returns the references */
  async repostAll(by: string): Promise<readonly string[]> {
    const posts = await this.notifications.requeuePosts(POSTED);
    for (const id of posts) await this.submissions.record(id, { event: 'posted again', by });
    return posts;
  }
}
