import { createPublicKey, randomUUID } from 'node:crypto';
import { lookup, Resolver } from 'node:dns/promises';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { allRecipients } from '../submissions/recipients.ts';
import type { Settings } from '../config/settings.ts';
import { filePath, type Database } from '../database/database.ts';
import { backupCheck } from '../checks/backup.ts';
import { erasuresCheck } from '../checks/erasures.ts';
import { notificationsCheck } from '../checks/notifications.ts';
import type { Check } from '../observability/health.service.ts';
import { diskFault, FREE_BYTES_ALERT } from '../checks/storage-health.service.ts';
import { attemptAlert, type AlertPost } from '../alerts/alert-webhook.ts';
import type { DeliveryError, FailureArea } from '../outbox/failure.ts';
import { OIDC } from '../config/inbox-users.ts';
import { discover, discoveryFault } from '../inbox/open-id-connect.service.ts';
import { Mailer } from '../mail/mailer.service.ts';
import type { Mail } from '../mail/mails/mail.ts';
import { connectTo } from '../notifications/webhook.service.ts';
import { NotificationsRepository } from '../outbox/notifications.repository.ts';
import { checkRedis, createRedisClient, redisCheck } from '../redis/redis-client.ts';
import { refuseForeignFiles, refuseUnmarkedFiles } from '../submissions/installation.service.ts';
import { ErasuresRepository } from '../submissions/erasures.repository.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { openResumeFiles } from '../submissions/resume-files.ts';
import { healthAdvice, siteAdvice } from './service-checks.ts';
import {
  DOCTOR_LIMITS,
  findingWithin,
  Note,
  sentences,
  type Advice,
  type DoctorLimits,
  type Finding,
  type Outside,
} from './finding.ts';

/** Time limit of one try of a lookup. With the default, a silent DNS server takes more than a minute. */
export const LOOKUP_MS = 3_000;

/** Returns a DNS resolver with short timeouts. */
export const createResolver = (timeoutMs = LOOKUP_MS) => new Resolver({ timeout: timeoutMs, tries: 2 });
const resolver = createResolver();

export const OUTSIDE: Outside = {
  limits: DOCTOR_LIMITS,
  resolveTxt: (name) => resolver.resolveTxt(name),
  lookup: (name) => lookup(name, { all: true }),
  freeBytesMin: FREE_BYTES_ALERT,
  freeFilesMin: 1_000,
};

/**
 * Starts all checks concurrently.
 *
 * @param opening database of the settings. A rejection becomes a finding.
 * @param isTrial whether to leave out what only a public site has: DNS records and the site's address
 */
export function checksOf(
  settings: Settings,
  outside: Outside,
  opening: Promise<Database>,
  isTrial = false,
): Promise<Finding>[] {
  const finding = findingWithin(outside.limits.check);
  const withDatabase = async (check: (database: Database) => Advice): Advice => check(await opening);
  const inDatabase = async (about: string, checkOf: (database: Database) => Check): Promise<Finding> => {
    const found = await finding(
      about,
      withDatabase((database) => adviceOf(checkOf(database))),
    );
    return { ...found, needsDatabase: true };
  };
  return [
    finding('mail server', mailServerAdvice(settings), addressHint(settings)),
    ...(isTrial ? [] : senderChecks(settings, outside)),
    ...(settings.DKIM_PRIVATE_KEY ? [finding('DKIM', signatureAdvice(outside, settings))] : []),
    finding('Redis', redisAdvice(settings, outside.limits)),
    finding(
      'database',
      withDatabase((database) => database.check()),
      'See docs/operations.md#the-database-fails',
    ),
    inDatabase('backup', (database) => backupCheck(database, new SubmissionSearchRepository(database))),
    inDatabase('notifications', (database) => notificationsCheck(new NotificationsRepository(database))),
    inDatabase('erasures', (database) => erasuresCheck(new ErasuresRepository(database))),
    finding('disk', diskAdvice(settings, outside)),
    finding(
      'files of résumés',
      filesAdvice(settings, opening),
      settings.RESUMES_URL?.startsWith('s3:')
        ? 'See docs/deployment.md#résumés-in-object-storage'
        : 'See docs/operations.md#files-are-missing',
    ),
    ...(settings.OIDC_ISSUER ? [finding('single sign-on', singleSignOnAdvice(settings))] : []),
    finding('api', healthAdvice(settings.API_URL ?? `http://127.0.0.1:${settings.API_PORT}`, outside)),
    finding('worker', healthAdvice(settings.WORKER_URL ?? `http://127.0.0.1:${settings.WORKER_PORT}`, outside)),
    ...(isTrial ? [] : [finding(settings.SITE_URL, siteAdvice(settings, outside))]),
    ...(settings.SUBMISSION_WEBHOOK_URL
      ? [finding('SUBMISSION_WEBHOOK_URL', webhookAdvice(settings, outside.limits))]
      : []),
    ...(settings.ALERT_WEBHOOK_URL ? [] : [finding('alerts', Promise.resolve(NO_ALERTS))]),
  ];
}

/** Checks the DNS records by which receivers judge the sender. Receivers look up SPF for the envelope sender (RFC 7208). */
function senderChecks({ MAIL_FROM, MAIL_BOUNCES_TO }: Settings, outside: Outside): Promise<Finding>[] {
  const [domain, envelopeDomain] = [MAIL_FROM, MAIL_BOUNCES_TO || MAIL_FROM].map((at) => at.split('@')[1] ?? '') as [
    string,
    string,
  ];
  const finding = findingWithin(outside.limits.check);
  return [
    finding(
      `SPF of ${envelopeDomain}`,
      recordAdvice(
        outside,
        [envelopeDomain],
        'v=spf1',
        "such as v=spf1 include:... ~all with your mail provider's name",
      ),
    ),
    finding(`DMARC of ${domain}`, recordAdvice(outside, dmarcNames(domain), 'v=DMARC1', 'such as v=DMARC1; p=none')),
  ];
}

/** Starts the trials: mails to each mailbox, an acknowledgement, and an alert. */
export function trialsOf(settings: Settings, outside: Outside): Promise<Finding>[] {
  const [finding, findingOfMails] = [findingWithin(outside.limits.check), findingWithin(outside.limits.trial)];
  return [
    findingOfMails('trial mails', trialMails(settings)),
    ...(settings.ACKNOWLEDGE === 'on' ? [findingOfMails('trial acknowledgement', trialAcknowledgement(settings))] : []),
    ...(settings.ALERT_WEBHOOK_URL
      ? [finding('trial alert', trialAlert(settings, settings.ALERT_WEBHOOK_URL, outside))]
      : []),
  ];
}

async function mailServerAdvice(settings: Settings): Advice {
  const mailer = new Mailer(settings);
  try {
    await mailer.verify();
  } catch (error) {
    return mailServerHint(error as DeliveryError, settings);
  } finally {
    mailer.onApplicationShutdown();
  }
}

/** Remedies by what the mail server's error is about. The sentence about our identity has its own. */
const MAIL_SERVER_HINTS: Readonly<Record<FailureArea, string>> = {
  login: "Write special characters as %40, and take the provider's SMTP password",
  certificate: 'See docs/operations.md#the-mail-servers-certificate',
  identity: '',
};

/** Returns the remedy for a mail server that cannot be used. */
function mailServerHint({ message, area }: DeliveryError, settings: Settings): string {
  return sentences(message, area ? MAIL_SERVER_HINTS[area] : addressHint(settings));
}

/** Returns the remedy for an unreachable mail server. With implicit TLS (port 465) a server does not greet plain SMTP. */
function addressHint({ SMTP_URL }: Settings): string {
  const { protocol, port } = new URL(SMTP_URL);
  if (protocol === 'smtp:' && port === '465') return 'Port 465 needs smtps:// in SMTP_URL';
  if (protocol === 'smtps:' && ['25', '587'].includes(port)) return `Port ${port} needs smtp:// in SMTP_URL`;
  return 'Check host and port in SMTP_URL. Many providers of servers block port 25: use 465 (smtps://) or 587 (smtp://)';
}

async function textsOf(outside: Outside, name: string): Promise<string[]> {
  const records = await outside.resolveTxt(name).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTFOUND' || error.code === 'ENODATA') return [];
    throw new Error(
      `${name} cannot be looked up (${error.code ?? error.message}). Check the server in /etc/resolv.conf`,
    );
  });
  return records.map((parts) => parts.join(''));
}

/** Checks the record at the first of the names that has one. */
async function recordAdvice(outside: Outside, names: readonly string[], begin: string, example: string): Advice {
  for (const name of names) {
    const found = (await textsOf(outside, name)).filter((text) => text.startsWith(begin));
    if (found.length === 1) return;
    if (found.length > 1)
      return `${name} has ${found.length} such TXT records, so receivers ignore all of them. Join them into one`;
  }
  return `${names[0]} has no TXT record that begins with ${begin}, so mails may count as spam. Add one, ${example}`;
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

async function signatureAdvice(
  outside: Outside,
  { DKIM_PRIVATE_KEY = '', DKIM_SELECTOR, DKIM_DOMAIN }: Settings,
): Advice {
  const name = `${DKIM_SELECTOR}._domainkey.${DKIM_DOMAIN}`;
  const key = createPublicKey(DKIM_PRIVATE_KEY.replaceAll('\\n', '\n')).export({ type: 'spki', format: 'der' });
  const published = (await textsOf(outside, name)).map((text) => /p=([^;]*)/.exec(text)?.[1]?.replace(/\s/g, ''));
  if (published.includes(key.toString('base64'))) return;
  return `${name} does not publish the key of DKIM_PRIVATE_KEY. Set its TXT record to v=DKIM1; p=${key.toString('base64')}`;
}

/** Runs a check of the worker. */
async function adviceOf(check: Check): Advice {
  const { status, cause, advice = '' } = await check.run();
  if (status === 'ok') return advice ? new Note(advice) : undefined;
  return sentences(cause ?? '', advice);
}

async function redisAdvice(settings: Settings, { answer: answerMs }: DoctorLimits): Advice {
  const client = createRedisClient(settings, { maxRetriesPerRequest: 1, commandTimeout: answerMs });
  try {
    return await adviceOf(redisCheck(() => checkRedis(client, answerMs)));
  } finally {
    client.disconnect();
  }
}

/** Reads the configuration of the OpenID Connect provider as the sign-in does. */
async function singleSignOnAdvice(settings: Settings): Advice {
  try {
    await discover(settings);
  } catch (error) {
    const { code, announced } = discoveryFault(error);
    if (announced !== undefined)
      return `the issuer that the provider announces differs from OIDC_ISSUER: ${announced}. Set OIDC_ISSUER to exactly this, with or without a slash at its end. Users can sign in with passwords`;
    return `${settings.OIDC_ISSUER} does not answer as an OpenID Connect provider (${code}). Check that OIDC_ISSUER is exactly what the provider calls "issuer", and that a firewall lets the worker reach it. Users can sign in with passwords`;
  }
  if (!settings.INBOX_USERS?.some(({ hash }) => hash === OIDC))
    return 'no user can sign in with it. Add lines of address:role:oidc to INBOX_USERS';
}

async function diskAdvice(
  { DATABASE_URL, RESUMES_URL = '' }: Settings,
  { freeBytesMin, freeFilesMin }: Outside,
): Advice {
  const paths = [DATABASE_URL, RESUMES_URL].filter((url) => url.startsWith('file:')).map(filePath);
  for (const path of paths) {
    const { bavail, bsize, files, ffree } = await statfs(path).catch(() => statfs(dirname(path)));
    const { cause, advice = '' } = diskFault(bavail * bsize, freeBytesMin) ?? {};
    if (cause !== undefined) return sentences(cause, advice);
    // Some file systems, such as Btrfs, have no fixed number of inodes and report 0.
    if (files > 0 && ffree < freeFilesMin)
      return `${ffree} files can still be created, although there is free space. See df -i, and docs/operations.md#disk-full`;
  }
}

/** Reads the files as the service does, with the same check that they belong to the database. */
async function filesAdvice(settings: Settings, opening: Promise<Database>): Advice {
  const files = await openResumeFiles(settings);
  await files.readMarker();
  for await (const _ of files.list()) break;
  const database = await opening.catch(() => undefined);
  if (!database) return;
  try {
    await refuseForeignFiles(database, files);
    await refuseUnmarkedFiles(new SubmissionSearchRepository(database), files);
  } catch (error) {
    return (error as Error).message;
  }
}

/** Sends a mail to each mailbox, with the EHLO name, TLS and signature of all others. */
async function trialMails(settings: Settings): Advice {
  for (const to of allRecipients(settings))
    await sendTrial(settings, { to }).catch((error: DeliveryError) => {
      const isAboutServer = error.kind === 'server-away' || error.area !== undefined;
      const hint = 'Check that the address exists, and that the account may send as MAIL_FROM';
      throw new Error(`to ${to}: ${isAboutServer ? mailServerHint(error, settings) : sentences(error.message, hint)}`);
    });
}

/** Sends a mail with an empty envelope sender, as acknowledgements do (RFC 3834). Some mail servers reject it. */
async function trialAcknowledgement(settings: Settings): Advice {
  const to = settings.SALES_INBOX;
  await sendTrial(settings, { to, isAutoReply: true }).catch(({ message }: Error) => {
    throw new Error(
      `${message} The mail server rejects an empty envelope sender (MAIL FROM:<>), so visitors get no ` +
        'acknowledgement. Allow it there, use another mail server, or set ACKNOWLEDGE=off',
    );
  });
}

async function sendTrial(settings: Settings, { to, isAutoReply }: Pick<Mail, 'to' | 'isAutoReply'>): Promise<void> {
  const mailer = new Mailer(settings);
  const requestId = randomUUID();
  const messageId = `<${requestId}@${new URL(settings.SITE_URL).hostname}>`;
  const text = 'This mailbox receives what visitors send by the forms of your website. There is nothing to do.';
  const mail = { to, subject: 'Trial mail of your website', messageId, requestId, text, html: `<p>${text}</p>` };
  try {
    await mailer.send({ ...mail, ...(isAutoReply && { isAutoReply }) });
  } finally {
    mailer.onApplicationShutdown();
  }
}

const NO_ALERTS = new Note(
  "ALERT_WEBHOOK_URL is not set, so alerts are only in the worker's log. Set it to the address of a chat's incoming webhook",
);

/** Connects to the webhook's receiver as the worker does, without a post. */
async function webhookAdvice({ SUBMISSION_WEBHOOK_URL = '' }: Settings, { answer }: DoctorLimits): Advice {
  try {
    await connectTo(new URL(SUBMISSION_WEBHOOK_URL), answer);
  } catch (error) {
    const { code = 'no answer' } = error as NodeJS.ErrnoException;
    if (code === 'EINSIDE')
      return 'leads into the network. Name a program there with its IP address, or with a name without a dot';
    return `cannot be reached (${code}). Check its host and port, its certificate, and the firewall`;
  }
}

/** Posts an alert as the worker does, but only once. */
async function trialAlert(settings: Settings, ALERT_WEBHOOK_URL: string, { alertTimeoutMs }: Outside): Advice {
  const alert: AlertPost = {
    kind: 'trial',
    state: 'raised',
    text: 'A trial alert of your website. There is nothing to do.',
    at: Date.now(),
    instance: new URL(settings.SITE_URL).hostname,
    references: [],
    count: 0,
  };
  const attempt = attemptAlert(ALERT_WEBHOOK_URL, alert, { timeoutMs: alertTimeoutMs });
  const status = await attempt.catch(({ name, cause }: Error) => {
    const { code = name } = (cause ?? {}) as NodeJS.ErrnoException;
    throw new Error(`ALERT_WEBHOOK_URL cannot be reached (${code}). Check its host, and the firewall`);
  });
  if (status >= 200 && status < 300) return;
  return status >= 300 && status < 400
    ? `ALERT_WEBHOOK_URL answers ${status}, a redirect, which alerts do not follow. Set the address that it leads to`
    : `ALERT_WEBHOOK_URL answers ${status}. Create the webhook again, and set its new address`;
}
