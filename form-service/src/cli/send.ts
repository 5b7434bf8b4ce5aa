import { NotificationsRepository } from '../outbox/notifications.repository.ts';
import { HandlingRepository } from '../submissions/handling.repository.ts';
import { OPERATOR } from '../submissions/labels.ts';
import { ACTIONS, SubmissionActions, type SendingAction } from '../submissions/submission-actions.service.ts';
import { findByReference, withStorage, type Register, type Storage } from './storage.ts';
import { EXIT, OperatorError } from './terminal.ts';

export const registerResend: Register = (program, context) =>
  program
    .command('resend [reference]')
    .description('send a failed submission again')
    .option('--all-failed', 'send all failed submissions and webhook posts again')
    .option('--again', 'also send a delivered submission again, whose mail did not arrive')
    .action(withStorage(context, resend));

/**
 * Makes failed submissions and failed webhook posts pending again, with no attempts counted, and with `again` a delivered
 * submission: a mail server can accept a mail and lose it. The worker finds them within seconds.
 */
async function resend(
  storage: Storage,
  reference: string | undefined,
  { allFailed, again }: { allFailed?: true; again?: true },
): Promise<void> {
  // An empty reference comes from a script whose variable is not set.
  if (allFailed ? reference !== undefined || again : !reference)
    throw new OperatorError('Name one reference, or use --all-failed.', EXIT.usage);
  if (reference) return sendOne(storage, reference, again ? 'sendAgain' : 'resend', 'will be sent again');
  const { search, database, terminal } = storage;
  const ids: string[] = [];
  for await (const { id } of search.select({ states: ACTIONS.resend.from })) ids.push(id);
  const actions = actionsOf(storage);
  let mails = 0;
  let posts = (await actions.repostAll(OPERATOR)).length;
  for (const page of database.pagesOf(ids)) {
    const sent = await actions.send('resend', page, OPERATOR);
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
