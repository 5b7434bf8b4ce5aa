import { Option } from 'commander';
import { NotificationsRepository } from '../outbox/notifications.repository.ts';
import { findOrphans, ORPHAN_AGE_MS } from '../files/file-storage.ts';
import {
  ACTIONS,
  SubmissionActions,
  type ActionResult,
  type SendingAction,
} from '../submissions/submission-actions.service.ts';
import { OPERATOR } from '../submissions/labels.ts';
import type { Submission } from '../submissions/submission.ts';
import { HandlingRepository } from '../submissions/handling.repository.ts';
import { findByReference, withStorage, type Register, type Storage } from './storage.ts';
import { EXIT, OperatorError, parseTime } from './terminal.ts';

export const registerResend: Register = (program, context) =>
  program
    .command('resend [reference]')
    .description('send a failed submission again')
    .addOption(new Option('--all-failed', 'send all failed submissions again').conflicts(['again', 'since', 'until']))
    .option('--again', 'include delivered submissions whose mails did not arrive')
    .option(
      '--since <time>',
      'with --again: select submissions delivered or failed since a time: 2h (ago) or 2026-01-31T09:00Z',
      parseTime,
    )
    .option('--until <time>', 'with --since: end the period at this time', parseTime)
    .action(withStorage(context, resend));

/**
 * Makes failed submissions and failed webhook posts pending again, with no attempts counted, and with `again` delivered
 * submissions: a mail server can accept a mail and lose it. The worker finds them within seconds.
 */
async function resend(
  storage: Storage,
  reference: string | undefined,
  { allFailed, again, since, until }: { allFailed?: true; again?: true; since?: number; until?: number },
): Promise<void> {
  const hasPeriod = since !== undefined || until !== undefined;
  // An empty reference comes from a script whose variable is not set.
  const isComplete =
    reference === undefined ? allFailed || (again && since !== undefined) : reference && !allFailed && !hasPeriod;
  if (!isComplete)
    throw new OperatorError(
      'The selection is ambiguous or empty. Name one reference, or use --all-failed, or --again with --since.',
      EXIT.usage,
    );
  const action = again ? 'sendAgain' : 'resend';
  const actions = actionsOf(storage);
  if (reference) {
    const submission = await findByReference(storage, reference);
    const result = await actions.send(action, [submission.id], OPERATOR);
    return reportOne(storage, submission, action, 'will be sent again', result);
  }
  const ids: string[] = [];
  for await (const one of storage.search.select({
    states: ACTIONS[action].from,
    stateFrom: since,
    stateUntil: until ?? Date.now(),
  })) {
    ids.push(one.id);
  }
  let mails = 0;
  let posts = allFailed ? (await actions.repostAll(OPERATOR)).length : 0;
  for (const page of storage.database.pagesOf(ids)) {
    const resent = await actions.send(action, page, OPERATOR);
    mails += resent.mails.length;
    posts += resent.posts.length;
  }
  await storage.terminal.printLine(`${mails} ${mails === 1 ? 'submission' : 'submissions'} will be sent again.`);
  if (posts > 0) storage.terminal.note(`Submissions that will be posted to the webhook again: ${posts}.`);
}

export const registerRelease: Register = (program, context) =>
  program
    .command('release <reference>')
    .description('send a quarantined submission')
    .action(withStorage(context, release));

/** Sends a quarantined submission. It is not quarantined a second time. */
async function release(storage: Storage, reference: string): Promise<void> {
  const submission = await findByReference(storage, reference);
  const released = await actionsOf(storage).send('release', [submission.id], OPERATOR);
  await reportOne(storage, submission, 'release', 'is released and will be sent', released);
}

export const registerOrphans: Register = (program, context) =>
  program
    .command('orphans')
    .description('list résumé files that belong to no submission')
    .option('--yes', 'delete all of them')
    .action(withStorage(context, listOrphans));

/** Lists files without a submission, or deletes them, even more than the hourly task may delete. */
async function listOrphans({ files, search, terminal }: Storage, { yes }: { yes?: boolean }): Promise<void> {
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
function actionsOf({ settings, submissions, database }: Storage): SubmissionActions {
  const [handling, notifications] = [new HandlingRepository(database), new NotificationsRepository(database)];
  return new SubmissionActions(settings, submissions, handling, notifications);
}

/** Prints the result of an action on one submission. @throws OperatorError if the action changed nothing */
async function reportOne(
  { terminal }: Storage,
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
