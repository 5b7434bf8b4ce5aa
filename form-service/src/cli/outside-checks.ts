import { Resolver } from 'node:dns/promises';
import { OIDC } from '../config/inbox-users.ts';
import type { Settings } from '../config/settings.ts';
import type { Database } from '../database/database.ts';
import { openFileStorage } from '../files/file-storage.ts';
import { down, OK, type Check, type CheckResult } from '../health/check.ts';
import { Mailer } from '../mail/mailer.service.ts';
import { discover, discoveryFault } from '../sign-in/open-id-connect.service.ts';
import { refuseForeignFiles, refuseUnmarkedFiles } from '../submissions/installation.service.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { checkDkim, checkDmarc, checkSpf } from './mail-records.ts';
import { checkSite } from './site-checks.ts';
import { sendTrialAlert, sendTrialMails } from './trials.ts';

/** What doctor needs of the internet, and its time limits in milliseconds. Tests replace them. */
export interface Outside {
  resolveTxt(name: string): Promise<string[][]>;
  /** One answer of another machine. */
  readonly answerMs: number;
  readonly checkMs: number;
  /** All trial mails. They are sent one after the other, and mail servers can be slow. */
  readonly trialMs: number;
}

/** Time limit of one try of a lookup. With the default, a silent DNS server takes more than a minute. */
export const LOOKUP_MS = 3_000;

/** Returns a DNS resolver with short timeouts. */
export const createResolver = (timeout = LOOKUP_MS) => new Resolver({ timeout, tries: 2 });
const resolver = createResolver();

export const OUTSIDE: Outside = {
  resolveTxt: (name) => resolver.resolveTxt(name),
  answerMs: 10_000,
  checkMs: 15_000,
  trialMs: 120_000,
};

/** Circumstances that decide which checks are made. */
interface Circumstances {
  readonly database: Database | undefined;
  /** Whether all of it runs on this machine, without a public site. */
  readonly isTrial: boolean;
  /** Whether trial messages are sent. */
  readonly isSending: boolean;
}

/** Returns the checks of what is outside this machine, as far as the settings use it, and of the files. */
export function outsideChecks(
  settings: Settings,
  outside: Outside,
  { database, isTrial, isSending }: Circumstances,
): Check[] {
  const { SITE_URL, MAIL_FROM, MAIL_BOUNCES_TO = MAIL_FROM, DKIM_PRIVATE_KEY: dkim, ALERT_WEBHOOK_URL } = settings;
  // Receivers look up SPF for the envelope sender (RFC 7208).
  const [domain = '', envelope = ''] = [MAIL_FROM, MAIL_BOUNCES_TO].map((address) => address.split('@')[1]);
  const rows: readonly (readonly [isNeeded: unknown, name: string, run: () => Promise<CheckResult | void>])[] = [
    [true, 'mail server', () => new Mailer(settings).verify()],
    [!isTrial, `SPF of ${envelope}`, () => checkSpf(outside, envelope)],
    [!isTrial, `DMARC of ${domain}`, () => checkDmarc(outside, domain)],
    [dkim, 'DKIM', async () => dkim && checkDkim(outside, dkim)],
    [true, 'files', () => checkFiles(settings, database)],
    [settings.OIDC_ISSUER, 'single sign-on', () => checkSingleSignOn(settings)],
    [!ALERT_WEBHOOK_URL, 'ALERT_WEBHOOK_URL', async () => UNSET_ALERTS],
    [!isTrial, SITE_URL, () => checkSite(SITE_URL, outside)],
    [isSending, 'trial mails', () => sendTrialMails(settings)],
    [isSending && ALERT_WEBHOOK_URL, 'trial alert', () => sendTrialAlert(settings, outside.answerMs)],
  ];
  return rows
    .filter(([isNeeded]) => isNeeded)
    .map(([, name, run]) => ({
      name,
      timeoutMs: name === 'trial mails' ? outside.trialMs : outside.checkMs,
      // The errors are sentences for the operator.
      run: () =>
        run().then(
          (result) => result ?? OK,
          ({ message }: Error) => down(message),
        ),
    }));
}

const UNSET_ALERTS = { status: 'ok', advice: "not set, so alerts are only in the worker's log" } as const;

/** Reads the files as the service does, with the same check that they belong to the database. */
async function checkFiles(settings: Settings, database: Database | undefined): Promise<void> {
  const files = await openFileStorage(settings);
  await files.readMarker();
  for await (const _ of files.list()) break;
  if (!database) return;
  await refuseForeignFiles(database, files);
  await refuseUnmarkedFiles(new SubmissionSearchRepository(database), files);
}

/** Reads the configuration of the OpenID Connect provider as the sign-in does. */
async function checkSingleSignOn(settings: Settings): Promise<CheckResult | void> {
  try {
    await discover(settings);
  } catch (error) {
    const { code, announced } = discoveryFault(error);
    return announced === undefined
      ? down(`the provider does not answer (${code})`, 'Check OIDC_ISSUER. Users can sign in with passwords')
      : down(`the provider announces another issuer: ${announced}`, 'Set OIDC_ISSUER to exactly this');
  }
  if (!settings.INBOX_USERS?.some(({ hash }) => hash === OIDC))
    return down('no user can sign in with it', 'Add lines of address:role:oidc to INBOX_USERS');
}
