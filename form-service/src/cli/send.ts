import { InvalidArgumentError, Option } from 'commander';
import { NotificationsRepository } from '../outbox/notifications.repository.ts';
import { HandlingRepository } from '../submissions/handling.repository.ts';
import { OPERATOR } from '../submissions/labels.ts';
import { ACTIONS, SubmissionActions, type SendingAction } from '../submissions/submission-actions.service.ts';
import { findByReference, withStorage, type Register, type Storage } from './storage.ts';
import { EXIT, OperatorError, parseDuration } from './terminal.ts';

export const registerResend: Register = (program, context) =>
  program
    .command('resend [reference]')
    .description('send a failed submission again')
    .addOption(new Option('--all-failed', 'send all failed submissions again').conflicts(['again', 'since']))
    .option('--again', 'include delivered submissions whose mails did not arrive')
    .option(
      '--since <time>',
      'with --again: all that were delivered or failed since 2h ago, or 2026-01-31T09:00Z',
      parseTime,
    )
    .action(withStorage(context, resend));

/** Parses an ISO 8601 time or a duration before now into milliseconds since the epoch. @throws InvalidArgumentError */
function parseTime(text: string): number {
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Date.now() - parseDuration(text);
  if (Number.isNaN(time)) throw new InvalidArgumentError('A time is for example 2026-01-31T09:00Z, or 5m.');
  return time;
}

/**
 * Makes failed submissions and failed webhook posts pending again, with no attempts counted, and with `again` delivered
 * submissions: a mail server can accept a mail and lose it. The worker finds them within seconds.
 */
async function resend(
  storage: Storage,
  reference: string | undefined,
  { allFailed, again, since }: { allFailed?: true; again?: true; since?: number },
): Promise<void> {
  const hasSelection = allFailed === true || since !== undefined;
  // An empty reference comes from a script whose variable is not set.
  const isComplete = reference === undefined ? allFailed || (again && hasSelection) : reference && !hasSelection;
  if (!isComplete)
    throw new OperatorError('Name one reference, or use --all-failed, or --again with --since.', EXIT.usage);
  const action = again ? 'sendAgain' : 'resend';
  if (reference) return sendOne(storage, reference, action, 'will be sent again');
  const { search, database, terminal } = storage;
  const ids: string[] = [];
  // Delivered from now on is not selected, or the command would never end.
  const selection = { states: ACTIONS[action].from, stateFrom: since, stateUntil: Date.now() };
  for await (const { id } of search.select(selection)) ids.push(id);
  const actions = actionsOf(storage);
  let mails = 0;
  let posts = allFailed ? (await actions.repostAll(OPERATOR)).length : 0;
  for (const page of database.pagesOf(ids)) {
    const sent = await actions.send(action, page, OPERATOR);
    mails += sent.mails.length;
    posts += sent.posts.length;
  }
  await terminal.printLine(`Submissions that will be sent again: ${mails}.`);
  if (posts > 0) terminal.note(`Submissions that will be posted to the webhook again: ${posts}.`);
}

export const registerRelease: Register = (program, context) =>
  program
    .command('release <reference>')
    .description('send a quarantined submission')
    // It is not quarantined a second time.
    .action(
      withStorage(context, (storage, reference: string) => {
        return sendOne(storage, reference, 'release', 'is released and will be sent');
      }),
    );

/** @throws OperatorError if the action changed nothing */
async function sendOne(storage: Storage, reference: string, action: SendingAction, what: string): Promise<void> {
  const { id, state } = await findByReference(storage, reference);
  const { mails, posts } = await actionsOf(storage).send(action, [id], OPERATOR);
  if (mails.length + posts.length === 0)
    throw new OperatorError(`${id} is ${state}, not ${ACTIONS[action].from.join(' or ')}.`, EXIT.wrongState);
  if (mails.length > 0) await storage.terminal.printLine(`${id} ${what}.`);
  if (posts.length > 0) await storage.terminal.printLine(`${id} will be posted to the webhook again.`);
}

/** Creates the actions that commands and inbox share. */
function actionsOf({ settings, submissions, database }: Storage): SubmissionActions {
  const [handling, notifications] = [new HandlingRepository(database), new NotificationsRepository(database)];
  return new SubmissionActions(settings, submissions, handling, notifications);
}
