import { createPublicKey } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { OIDC } from '../config/inbox-users.ts';
import type { Settings } from '../config/settings.ts';
import type { Database } from '../database/database.ts';
import { down, OK, type Check, type CheckResult } from '../health/check.ts';
import { Mailer } from '../mail/mailer.service.ts';
import { discover, discoveryFault } from '../sign-in/open-id-connect.service.ts';
import { refuseForeignFiles, refuseUnmarkedFiles } from '../submissions/installation.service.ts';
import { openFileStorage } from '../files/file-storage.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';

/** What doctor needs of the internet, and its time limits in milliseconds. Tests replace them. */
export interface Outside {
  resolveTxt(name: string): Promise<string[][]>;
  /** Certificate authorities (PEM) in place of the public ones. */
  readonly authorities?: string;
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

/** Returns a check whose error is a sentence for the operator. */
export const checkOf = (
  name: string,
  run: () => Promise<CheckResult | void>,
  rest: Pick<Check, 'timeoutMs'> = {},
): Check => ({
  name,
  run: () =>
    run().then(
      (result) => result ?? OK,
      ({ message }: Error) => down(message),
    ),
  ...rest,
});

/** Returns the checks of what is outside this machine, as far as the settings use it, and of the files. */
export function outsideChecks(
  settings: Settings,
  outside: Outside,
  { database, isTrial }: { readonly database: Database | undefined; readonly isTrial: boolean },
): Check[] {
  const { MAIL_FROM, MAIL_BOUNCES_TO = MAIL_FROM, DKIM_PRIVATE_KEY: dkim } = settings;
  // Receivers look up SPF for the envelope sender (RFC 7208).
  const [domain = '', envelope = ''] = [MAIL_FROM, MAIL_BOUNCES_TO].map((address) => address.split('@')[1]);
  const checks: readonly (readonly [isNeeded: unknown, name: string, run: () => Promise<CheckResult | void>])[] = [
    [true, 'mail server', () => new Mailer(settings).verify()],
    [!isTrial, `SPF of ${envelope}`, () => checkRecord(outside, [envelope], 'v=spf1')],
    [!isTrial, `DMARC of ${domain}`, () => checkRecord(outside, dmarcNames(domain), 'v=DMARC1')],
    [dkim, 'DKIM', () => checkSignature(settings, outside)],
    [true, 'files', () => checkFiles(settings, database)],
    [settings.OIDC_ISSUER, 'single sign-on', () => checkSingleSignOn(settings)],
    [
      !settings.ALERT_WEBHOOK_URL,
      'ALERT_WEBHOOK_URL',
      async () => ({ status: 'ok', advice: "not set, so alerts are only in the worker's log" }),
    ],
  ];
  return checks.filter(([isNeeded]) => isNeeded).map(([, name, run]) => checkOf(name, run));
}

async function textsOf({ resolveTxt }: Outside, name: string): Promise<string[]> {
  const records = await resolveTxt(name).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTFOUND' || error.code === 'ENODATA') return [];
    throw new Error(`${name} cannot be looked up (${error.code ?? error.message})`);
  });
  return records.map((parts) => parts.join(''));
}

/** Checks the record by which receivers judge the sender, at the first of the names that has one. */
async function checkRecord(outside: Outside, names: readonly string[], begin: string): Promise<CheckResult> {
  for (const name of names) {
    const { length } = (await textsOf(outside, name)).filter((text) => text.startsWith(begin));
    if (length === 1) return OK;
    if (length > 1) return down(`${name} has ${length} such TXT records, so receivers ignore all of them`);
  }
  return down(`${names[0]} has no TXT record that begins with ${begin}, so mails may count as spam`);
}

/**
 * Returns the names of DMARC records that apply to a domain: its own, then those of its parents down to two labels. The
 * record of the organizational domain applies to subdomains without one (RFC 7489, section 6.6.3).
 */
function dmarcNames(domain: string): string[] {
  const labels = domain.split('.');
  const parents = labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'));
  return [domain, ...parents].map((name) => `_dmarc.${name}`);
}

/** Checks that the public key of DKIM is published. */
async function checkSignature({ DKIM_PRIVATE_KEY: dkim }: Settings, outside: Outside): Promise<CheckResult | void> {
  if (!dkim) return;
  const name = `${dkim.keySelector}._domainkey.${dkim.domainName}`;
  const key = createPublicKey(dkim.privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
  const published = (await textsOf(outside, name)).map((text) => /p=([^;]*)/.exec(text)?.[1]?.replace(/\s/g, ''));
  if (!published.includes(key))
    return down(`${name} does not publish the key of DKIM_PRIVATE_KEY`, `Set its TXT record to v=DKIM1; p=${key}`);
}

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
