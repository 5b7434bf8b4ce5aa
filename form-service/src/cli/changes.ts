import { noteRetention, sinceRetention } from '../database/last-runs.ts';
import { findOrphans, ORPHAN_AGE_MS } from '../submissions/orphan-files.ts';
import { NotificationsRepository } from '../outbox/notifications.repository.ts';
import {
  ACTIONS,
  SubmissionActions,
  type ActionResult,
  type SendingAction,
} from '../submissions/submission-actions.service.ts';
import type { Submission } from '../submissions/submission.ts';
import { HandlingRepository } from '../submissions/handling.repository.ts';
import { findByReference, type Operation } from './queries.ts';
import { EXIT, formatDuration, OperatorError } from './terminal.ts';

/** User in the history of a submission that a command released or sent again. */
const BY = 'an operator';

interface ResendOptions {
  readonly allFailed?: boolean;
  /** Whether delivered submissions are included: a mail server can accept a mail and lose it. */
  readonly again?: boolean;
  /** Milliseconds since the epoch. */
  readonly since?: number;
  readonly until?: number;
}

/**
 * `resend`: makes failed submissions and failed webhook posts pending again, with no attempts counted. The worker finds
 * them within seconds.
 */
export async function resend(
  operation: Operation,
  reference: string | undefined,
  options: ResendOptions,
): Promise<void> {
  const { allFailed, again, since, until } = options;
  const isComplete =
    (since === undefined || again) && (until === undefined || since !== undefined) && !(allFailed && again);
  if (!isComplete || [reference, allFailed, since].filter((one) => one !== undefined).length !== 1) {
    throw new OperatorError(
      'The selection is ambiguous or empty. Name one reference, or use --all-failed, or --again with --since.',
      EXIT.usage,
    );
  }
  const action = again ? 'sendAgain' : 'resend';
  const actions = actionsOf(operation);
  if (reference) {
    const submission = await findByReference(operation, reference);
    const result = await actions.send(action, [submission.id], BY);
    return reportOne(operation, submission, action, 'will be sent again', result);
  }
  const ids: string[] = [];
  for await (const one of operation.search.select({
    states: ACTIONS[action].from,
    stateFrom: since,
    stateUntil: until ?? Date.now(),
  })) {
    ids.push(one.id);
  }
  let mails = 0;
  let posts = allFailed ? (await actions.repostAll(BY)).length : 0;
  for (const page of operation.database.pagesOf(ids)) {
    const resent = await actions.send(action, page, BY);
    mails += resent.mails.length;
    posts += resent.posts.length;
  }
  await operation.terminal.printLine(`${mails} ${mails === 1 ? 'submission' : 'submissions'} will be sent again.`);
  if (posts > 0) operation.terminal.note(`Submissions that will be posted to the webhook again: ${posts}.`);
}

/** `release`: sends a quarantined submission. It is not quarantined a second time. */
export async function release(operation: Operation, reference: string): Promise<void> {
  const submission = await findByReference(operation, reference);
  const released = await actionsOf(operation).send('release', [submission.id], BY);
  await reportOne(operation, submission, 'release', 'is released and will be sent', released);
}

/** `orphans`: lists files without a submission. `--yes` deletes them, even more than the hourly task may delete. */
export async function orphans({ files, search, terminal }: Operation, { yes }: { yes?: boolean }): Promise<void> {
  const found = await findOrphans(files, search, ORPHAN_AGE_MS);
  for (const key of found.orphans) {
    if (yes) await files.remove(key);
    await terminal.printLine(key);
  }
  terminal.note(
    `${found.orphans.length} of ${found.total} files belong to no submission${yes ? ' and are deleted' : ''}.`,
  );
}

/** Creates the actions that commands and inbox share. */
function actionsOf({ settings, submissions, search, database }: Operation): SubmissionActions {
  const [handling, notifications] = [new HandlingRepository(database), new NotificationsRepository(database)];
  return new SubmissionActions(settings, submissions, search, handling, notifications);
}

/** `retention`: shows the time of the last run. `--allow` lets the next run delete any number of submissions. */
export async function retention({ database, terminal }: Operation, { allow }: { allow?: boolean }): Promise<void> {
  if (allow) {
    await noteRetention(database);
    return terminal.printLine('The next run, within an hour, deletes all submissions past their retention time.');
  }
  const elapsed = await sinceRetention(database);
  const time = elapsed === undefined ? 'never' : `${formatDuration(Math.max(0, elapsed))} ago`;
  await terminal.printLine(`Retention last ran: ${time}.`);
}

/** Prints the result of an action on one submission. @throws OperatorError if the action changed nothing */
async function reportOne(
  { terminal }: Operation,
  { id, state }: Submission,
  action: SendingAction,
  what: string,
  { mails, posts }: ActionResult,
): Promise<void> {
  if (mails.length + posts.length === 0)
    throw new OperatorError(`${id} is ${state}, not ${ACTIONS[action].from.join(' or ')}.`, EXIT.wrongState);
  if (mails.length > 0) await terminal.printLine(`${id} ${what}.`);
  if (posts.length > 0) await terminal.printLine(`${id} will be posted to the webhook again.`);
}
