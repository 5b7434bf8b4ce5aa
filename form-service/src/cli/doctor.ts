import { positionsOfSite, unknownRecipients } from '../submissions/recipients.ts';
import { placeholdersIn, readSettings, SettingsError, type Settings } from '../config/settings.ts';
import { Database } from '../database/database.ts';
import { OUTSIDE, checksOf, trialsOf } from '../doctor/checks.ts';
import type { Finding } from '../doctor/finding.ts';
import { envFileFindings } from '../doctor/env-file.ts';
import { EXIT, OperatorError, type Terminal } from './terminal.ts';

export interface DoctorOptions {
  /** Content of `.env`, which is not in the container. */
  readonly envFile?: string;
  /** Whether to send a trial mail to each mailbox, and a trial alert. */
  readonly send?: boolean;
}

/** Hosts of the mail catcher in `npm start` and docker-compose.override.yml. */
const CATCHERS = new Set(['127.0.0.1', 'mail']);

const TRIAL: Finding = {
  about: 'trial',
  advice: 'mails go to the mail catcher. Address and DNS records of the site are checked after docs/install.md',
  isOptional: true,
};

/** `doctor`: prints one line for each check, with the remedy for each fault. @throws OperatorError if there is a fault */
export async function doctor(
  terminal: Terminal,
  environment: NodeJS.ProcessEnv,
  { envFile = '', send = false }: DoctorOptions,
  outside = OUTSIDE,
): Promise<void> {
  let faults = 0;
  /** Checks whose fault is printed already. A process may report the same one. */
  const printed = new Set<string>();
  const say = async ({ about, failures = [], isOptional = false, needsDatabase, ...finding }: Finding) => {
    if (needsDatabase && printed.has('storage')) return;
    const others = failures.flatMap(([name, cause]) => (printed.has(name) ? [] : [`${name}: ${cause}`]));
    const advice = finding.advice ?? (others.length > 0 ? others.join('; ') : undefined);
    if (advice === undefined) return terminal.printLine(`ok    ${about}`);
    if (!isOptional) faults += 1;
    printed.add(about === 'database' ? 'storage' : about.toLowerCase());
    await terminal.printLine(`${isOptional ? 'note' : 'FIX '}  ${about}: ${advice}`);
  };
  for (const finding of envFileFindings(envFile, environment)) await say(finding);
  try {
    const settings = readSettings(environment);
    // The trial's compose file sets NODE_ENV also for a mail server of one's own.
    const isTrial = environment.NODE_ENV === 'development' && CATCHERS.has(new URL(settings.SMTP_URL).hostname);
    if (isTrial) await say(TRIAL);
    const placeholders = isTrial ? [] : placeholderFindings(settings);
    for (const finding of placeholders.length > 0 ? placeholders : [{ about: 'settings' }]) await say(finding);
    for (const finding of recipientFindings(settings)) await say(finding);
    // Reports a missing database and does not create one.
    const opening = Database.openExisting(settings.DATABASE_URL);
    try {
      const findings = [...checksOf(settings, outside, opening, isTrial), ...(send ? trialsOf(settings, outside) : [])];
      for (const one of findings) await say(await one);
    } finally {
      await opening.then(
        (database) => database.close(),
        () => undefined,
      );
    }
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    for (const mistake of error.mistakes) await say({ about: 'settings', advice: mistake });
    terminal.note('Fix the settings first, then run doctor again for the rest.');
  }
  if (faults > 0) throw new OperatorError(`Faults to fix: ${faults}.`, EXIT.failure);
}

/** Finds values of the example that a real site must not have. */
function placeholderFindings(settings: Settings): Finding[] {
  const { hostname } = new URL(settings.SITE_URL);
  const sentences = [
    ...placeholdersIn(settings, { NODE_ENV: 'production' }),
    ...(/(^|\.)example(\.org|\.com)?$/.test(hostname) ? ["SITE_URL is the example's. Write yours into .env"] : []),
  ];
  return sentences.map((sentence) => ({ about: 'settings', advice: sentence }));
}

/** Checks the keys of `RECIPIENTS` against the services and jobs. A container has the jobs of its image's build. */
function recipientFindings(settings: Settings): Finding[] {
  if (!settings.RECIPIENTS) return [];
  const unknown = unknownRecipients(settings);
  if (unknown.length > 0) return unknown.map((advice) => ({ about: 'settings', advice }));
  return [
    {
      about: positionsOfSite()
        ? 'RECIPIENTS'
        : 'RECIPIENTS (not checked, because the jobs are not here; run npm run config:check)',
    },
  ];
}
