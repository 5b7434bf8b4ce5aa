import { hash, randomUUID } from 'node:crypto';
import { attemptAlert } from '../alerts/alert-webhook.ts';
import type { Settings } from '../settings/settings.ts';
import type { Database } from '../database/database.ts';
import { openFileStorage } from '../files/file-storage.ts';
import { down, OK, type Check, type CheckResult, type HealthReport, type NamedResult } from '../health/checks.ts';
import { Mailer } from '../mail/mailer.service.ts';
import type { Mail } from '../mail/mails/mail.ts';
import type { DeliveryError } from '../outbox/attempt.ts';
import { discover } from '../sign-in/open-id-connect.service.ts';
import { refuseForeignFiles, refuseUnmarkedFiles } from '../submissions/installation.service.ts';
import { allRecipients } from '../submissions/recipients.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';

/** Time limit for one answer of another machine. */
export const ANSWER_MS = 10_000;

/** Time limit for all trial mails. They are sent one after the other, and mail servers can be slow. */
const TRIAL_MS = 120_000;

/** Circumstances that decide which checks are made. */
interface Circumstances {
  readonly database: Database | undefined;
  /** Whether all of it runs on this machine, without a public site. */
  readonly isTrial: boolean;
  /** Whether trial messages are sent. */
  readonly isSending: boolean;
}

/** Returns the checks of what is outside this machine, as far as the settings use it, and of the files. */
export function outsideChecks(settings: Settings, { database, isTrial, isSending }: Circumstances): Check[] {
  const { SITE_URL, ALERT_WEBHOOK_URL } = settings;
  const rows: readonly (readonly [isNeeded: unknown, name: string, run: () => Promise<CheckResult | void>])[] = [
    [true, 'mail server', () => new Mailer(settings).verify()],
    [true, 'files', () => checkFiles(settings, database)],
    [settings.OIDC_ISSUER, 'single sign-on', async () => void (await discover(settings))],
    [!ALERT_WEBHOOK_URL, 'ALERT_WEBHOOK_URL', async () => UNSET_ALERTS],
    [!isTrial, SITE_URL, () => checkSite(SITE_URL)],
    [isSending, 'trial mails', () => sendTrialMails(settings)],
    [isSending && ALERT_WEBHOOK_URL, 'trial alert', () => sendTrialAlert(settings)],
  ];
  return rows
    .filter(([isNeeded]) => isNeeded)
    .map(([, name, run]) => ({
      name,
      ...(name === 'trial mails' && { timeoutMs: TRIAL_MS }),
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

/** Checks the site as visitors reach it: name, certificate, the proxy in front of nginx, and the api. */
async function checkSite(site: string): Promise<CheckResult | void> {
  // An empty form is invalid (422), so nothing is stored. Only the api gives this answer, no proxy in front of it.
  const form = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  const { status, headers } = await exchange(new URL('/api/contact', site), form);
  const location = headers.get('location');
  if (location) return down(`redirects to ${location}`, 'Write that address into SITE_URL');
  if (status !== 422) return down(`an empty form gets ${status} and not 422`, 'See docker compose logs nginx api');
  if (site.startsWith('https:') && !headers.has('strict-transport-security'))
    return down('nginx does not trust the proxy in front of it', 'Add it to TRUSTED_PROXIES');
  const page = await exchange(new URL(site));
  if (hasForeignScript(await page.text(), page.headers.get('content-security-policy') ?? ''))
    return down('a proxy changes its pages', 'Switch that off: docs/deployment.md#behind-a-load-balancer');
}

/** Scripts of a page, and what is between their tags; not structured data, which is no code. */
const SCRIPTS = /<script(?![^>]*ld\+json)[^>]*>([^]*?)<\/script>/gi;

/**
 * Whether a page has a script that its Content-Security-Policy does not allow by its hash. The build writes hashes of all
 * scripts, and none has an address. A proxy that hides e-mail addresses or delays scripts adds or changes one.
 */
const hasForeignScript = (page: string, policy: string): boolean =>
  [...page.matchAll(SCRIPTS)].some(([, script = '']) => !policy.includes(hash('sha256', script, 'base64')));

/** Asks a process for its health. Returns its version, and a result for each check that is not ok. */
export async function resultsOfProcess(url: string): Promise<NamedResult[]> {
  try {
    const answer = await exchange(new URL('/health/ready', url));
    const { version, checks } = (await answer.json()) as HealthReport;
    const faults = Object.entries(checks).filter(([, { status }]) => status !== 'ok');
    return [{ name: `version ${version}`, status: 'ok' }, ...faults.map(([name, result]) => ({ name, ...result }))];
  } catch (error) {
    return [{ name: (error as Error).message, ...down('See docker compose logs') }];
  }
}

/** Sends a request, and follows no redirect. @throws Error in a sentence */
async function exchange(url: URL, request: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, { ...request, redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
  } catch (error) {
    const code = codeOf(error as Error);
    const why = code === 'TimeoutError' ? 'no answer' : code;
    throw new Error(`cannot be reached (${why}). See docker compose ps -a, and docs/operations.md`, { cause: error });
  }
}

/** Returns the code of the connection, which `fetch` gives as the cause, or else the name of an error. */
const codeOf = ({ name, cause }: Error): string => (cause as NodeJS.ErrnoException | undefined)?.code ?? name;

/**
 * Sends a mail to each mailbox as the worker does, and then one like an acknowledgement, with an empty envelope sender
 * (RFC 3834). Some mail servers reject that, and some allow few connections, so the mails are sent one after the other.
 */
async function sendTrialMails(settings: Settings): Promise<void> {
  for (const to of allRecipients(settings)) await sendTrialMail(settings, { to }, `to ${to}`);
  const acknowledgement = { to: settings.SALES_INBOX, autoSubmitted: 'auto-replied' } as const;
  if (settings.ACKNOWLEDGE === 'on')
    await sendTrialMail(settings, acknowledgement, 'acknowledgement with an empty envelope sender (MAIL FROM:<>)');
}

async function sendTrialMail(
  settings: Settings,
  { to, autoSubmitted = 'auto-generated' }: Pick<Mail, 'to' | 'autoSubmitted'>,
  about: string,
): Promise<void> {
  const requestId = randomUUID();
  const messageId = `<${requestId}@${new URL(settings.SITE_URL).hostname}>`;
  const text = 'This mailbox receives what visitors send by the forms of your website. There is nothing to do.';
  const mail = { to, subject: 'Trial mail of your website', messageId, requestId, text, html: `<p>${text}</p>` };
  await new Mailer(settings).send({ ...mail, autoSubmitted }).catch(({ message, reply }: DeliveryError) => {
    const said = reply?.reply ? ` The mail server says: ${reply.reply.replaceAll('\n', ' ')}` : '';
    throw new Error(`${about}: ${message}${said}`);
  });
}

/** Posts an alert as the worker does, but only once. */
async function sendTrialAlert(settings: Settings): Promise<CheckResult | void> {
  const alert = {
    kind: 'trial',
    state: 'raised',
    text: 'A trial alert of your website. There is nothing to do.',
    at: Date.now(),
    instance: new URL(settings.SITE_URL).hostname,
    references: [],
    count: 0,
  } as const;
  const status = await attemptAlert(settings.ALERT_WEBHOOK_URL ?? '', alert).catch((error: Error) => {
    throw new Error(`ALERT_WEBHOOK_URL cannot be reached (${codeOf(error)}). Check its host, and the firewall`);
  });
  // A redirect is not followed.
  if (status >= 300)
    return down(`ALERT_WEBHOOK_URL answers ${status}`, 'Create the webhook again, and set its address');
}
