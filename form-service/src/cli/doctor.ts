import { buffer } from 'node:stream/consumers';
import { positionsOfSite, unknownRecipients } from '../submissions/recipients.ts';
import { placeholdersIn, readSettings, SettingsError, type Settings } from '../config/settings.ts';
import { Database } from '../database/database.ts';
import { OUTSIDE, checksOf, trialsOf } from '../doctor/checks.ts';
import { envFileFindings } from '../doctor/env-file.ts';
import { fault, sentences, type Finding } from '../doctor/finding.ts';
import type { Register } from './storage.ts';
import { EXIT, OperatorError, type Terminal } from './terminal.ts';

export interface DoctorOptions {
  /** Content of `.env`, which is not in the container. */
  readonly envFile?: string;
  /** Whether to send a trial mail to each mailbox, and a trial alert. */
  readonly send?: boolean;
}

/** Hosts of the mail catcher in `npm start` and docker-compose.override.yml. */
const CATCHERS = new Set(['127.0.0.1', 'mail']);

export const registerDoctor: Register = (program, { stdin, terminal, environment }) =>
  program
    .command('doctor')
    .description('check settings, services and DNS records, and print what to do about each fault')
    .option('--env', 'check the .env on standard input too: submissions doctor --env < .env')
    .option('--send', 'send a trial mail to each mailbox, and a trial alert')
    .action(async ({ env, send }: { env?: true; send?: true }) => {
      // Unlike text(), it keeps a byte order mark, which doctor reports.
      const envFile = env ? (await buffer(stdin)).toString() : '';
      await doctor(terminal, environment, { envFile, ...(send && { send }) });
    });

const TRIAL: Finding = {
  about: 'trial',
  status: 'ok',
  advice: 'mails go to the mail catcher. Address and DNS records of the site are checked after docs/install.md',
};

/** Prints one line for each check, with the remedy for each fault. @throws OperatorError if there is a fault */
export async function doctor(
  terminal: Terminal,
  environment: NodeJS.ProcessEnv,
  { envFile = '', send = false }: DoctorOptions,
  outside = OUTSIDE,
): Promise<void> {
  let faults = 0;
  const say = async ({ about, status, cause = '', advice = '' }: Finding) => {
    const text = sentences(cause, advice);
    if (!text) return terminal.printLine(`ok    ${about}`);
    if (status !== 'ok') faults += 1;
    await terminal.printLine(`${status === 'ok' ? 'note' : 'FIX '}  ${about}: ${text}`);
  };
  for (const finding of envFileFindings(envFile, environment)) await say(finding);
  try {
    const settings = readSettings(environment);
    // The trial's compose file sets NODE_ENV also for a mail server of one's own.
    const isTrial = environment.NODE_ENV === 'development' && CATCHERS.has(new URL(settings.SMTP_URL).hostname);
    if (isTrial) await say(TRIAL);
    const placeholders = isTrial ? [] : placeholdersOf(settings);
    for (const cause of placeholders) await say({ about: 'settings', ...fault(cause) });
    if (placeholders.length === 0) await say({ about: 'settings', status: 'ok' });
    for (const finding of recipientFindings(settings)) await say(finding);
    // Reports a missing database and does not create one.
    const opening = Database.openExisting(settings.DATABASE_URL);
    try {
      const checks = checksOf(settings, outside, opening, placeholders, isTrial);
      const all = [...checks, ...(send ? trialsOf(settings, outside) : [])];
      for (const [index, one] of all.entries()) {
        terminal.progress(`Check ${index + 1} of ${all.length} ...`);
        const finding = await one;
        if (finding) await say(finding);
      }
    } finally {
      await opening.then(
        (database) => database.close(),
        () => undefined,
      );
    }
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    for (const mistake of error.mistakes) await say({ about: 'settings', ...fault(mistake) });
    terminal.note('Fix the settings first, then run doctor again for the rest.');
  }
  if (faults > 0) throw new OperatorError(`Faults to fix: ${faults}.`, EXIT.failure);
}

/** Finds values of the example that a real site must not have. */
function placeholdersOf(settings: Settings): string[] {
  const { hostname } = new URL(settings.SITE_URL);
  const isExample = /(^|\.)example(\.org|\.com)?$/.test(hostname);
  return [
    ...placeholdersIn(settings, { NODE_ENV: 'production' }),
    ...(isExample ? ["SITE_URL is the example's. Write yours into .env"] : []),
  ];
}

/** Checks the keys of `RECIPIENTS` against the services and jobs. A container has the jobs of its image's build. */
function recipientFindings(settings: Settings): Finding[] {
  if (!settings.RECIPIENTS) return [];
  const unknown = unknownRecipients(settings);
  if (unknown.length > 0) return unknown.map((cause) => ({ about: 'settings', ...fault(cause) }));
  const unchecked = 'RECIPIENTS (not checked, because the jobs are not here; run npm run config:check)';
  return [{ about: positionsOfSite() ? 'RECIPIENTS' : unchecked, status: 'ok' }];
}
