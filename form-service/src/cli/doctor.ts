import { positionsOfSite, unknownRecipients } from '../config/recipients.ts';
import { placeholdersIn, readSettings, SettingsError, type Settings } from '../config/settings.ts';
import { OUTSIDE, checksOf, trialsOf, type Finding } from './doctor-checks.ts';
import { envFileFindings } from './env-file.ts';
import { EXIT, OperatorError, type Terminal } from './terminal.ts';

export interface Choice {
  /** The text of `.env`, which a container does not see by itself. */
  readonly envFile?: string;
  /** Send a trial mail to each inbox, and a trial alert. */
  readonly send?: boolean;
}

/** `doctor`: says in one line each what is well, and what to do about what is not. @throws OperatorError when something is not */
export async function doctor(
  terminal: Terminal,
  environment: NodeJS.ProcessEnv,
  { envFile = '', send = false }: Choice,
  outside = OUTSIDE,
): Promise<void> {
  let unwell = 0;
  const say = async ({ about, advice }: Finding) => {
    if (advice !== undefined) unwell += 1;
    await terminal.printLine(advice === undefined ? `ok    ${about}` : `MEND  ${about}: ${advice}`);
  };
  for (const finding of envFileFindings(envFile)) await say(finding);
  try {
    const settings = readSettings(environment);
    const placeholders = placeholderFindings(settings);
    for (const finding of placeholders.length > 0 ? placeholders : [{ about: 'settings' }]) await say(finding);
    for (const finding of recipientFindings(settings)) await say(finding);
    const looked = [...checksOf(settings, outside), ...(send ? trialsOf(settings) : [])];
    for (const one of looked) await say(await one);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    for (const mistake of error.mistakes) await say({ about: 'settings', advice: mistake });
    terminal.note('The rest is looked at when the settings are right.');
  }
  if (unwell > 0) throw new OperatorError(`${unwell} to mend.`, EXIT.failure);
}

/** Values of the example that a real site must not have. */
function placeholderFindings(settings: Settings): Finding[] {
  const { hostname } = new URL(settings.SITE_URL);
  const sentences = [
    ...placeholdersIn(settings, { NODE_ENV: 'production' }),
    ...(/(^|\.)example(\.org|\.com)?$/.test(hostname) ? ["SITE_URL is the example's: write yours into .env"] : []),
  ];
  return sentences.map((sentence) => ({ about: 'settings', advice: sentence }));
}

/** The keys of `RECIPIENTS`. A container has the form's services at hand, and not the site's jobs. */
function recipientFindings(settings: Settings): Finding[] {
  if (!settings.RECIPIENTS) return [];
  const unknown = unknownRecipients(settings);
  if (unknown.length > 0) return unknown.map((advice) => ({ about: 'settings', advice }));
  return [
    { about: positionsOfSite() ? 'RECIPIENTS' : 'RECIPIENTS (services; positions are seen by npm run config:check)' },
  ];
}
