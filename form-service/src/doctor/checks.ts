import { lookup, Resolver } from 'node:dns/promises';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { attemptAlert, type AlertPost } from '../alerts/alert-webhook.ts';
import { backupCheck } from '../checks/backup.ts';
import { erasuresCheck } from '../checks/erasures.ts';
import { formsCheck } from '../checks/forms.ts';
import { notificationsCheck } from '../checks/notifications.ts';
import { diskFault, FREE_BYTES_ALERT } from '../checks/storage-health.service.ts';
import { OIDC } from '../config/inbox-users.ts';
import type { Settings } from '../config/settings.ts';
import { filePath, type Database } from '../database/database.ts';
import { discover, discoveryFault } from '../sign-in/open-id-connect.service.ts';
import type { Check, CheckResult } from '../observability/health.service.ts';
import { NotificationsRepository } from '../outbox/notifications.repository.ts';
import { checkRedis, createRedisClient, redisCheck } from '../redis/redis-client.ts';
import { ErasuresRepository } from '../submissions/erasures.repository.ts';
import { refuseForeignFiles, refuseUnmarkedFiles } from '../submissions/installation.service.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { openFileStorage } from '../files/file-storage.ts';
import { DOCTOR_LIMITS, fault, findingWithin, type Finding, type Outside } from './finding.ts';
import {
  addressHint,
  checkMailServer,
  checkSignature,
  senderChecks,
  trialAcknowledgement,
  trialMails,
} from './mail-checks.ts';
import { checkInboxHost, checkProcess, checkSite } from './service-checks.ts';

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
 * @param printed causes that need not be printed again
 * @param isTrial whether to leave out what only a public site has: DNS records and the site's address
 * @returns findings; undefined for a check that cannot be made, because the database cannot be used
 */
export function checksOf(
  settings: Settings,
  outside: Outside,
  opening: Promise<Database>,
  printed: readonly string[],
  isTrial = false,
): Promise<Finding | undefined>[] {
  const { limits } = outside;
  const finding = findingWithin(limits.check);
  const database = finding(
    'storage',
    opening.then((opened) => opened.check()),
    'See docs/operations.md#the-database-fails',
  );
  const inDatabase = async (about: string, checkOf: (database: Database) => Check): Promise<Finding | undefined> => {
    const found = finding(
      about,
      opening.then((opened) => checkOf(opened).run()),
    );
    return (await database).cause === undefined ? found : undefined;
  };
  const own = [
    finding('mail server', checkMailServer(settings), addressHint(settings)),
    ...(isTrial ? [] : senderChecks(settings, outside)),
    ...(settings.DKIM_PRIVATE_KEY ? [finding('DKIM', checkSignature(outside, settings.DKIM_PRIVATE_KEY))] : []),
    finding('redis', checkRedisAt(settings, limits.answer)),
    database,
    inDatabase('backup', (opened) => backupCheck(opened, new SubmissionSearchRepository(opened))),
    inDatabase('forms', (opened) => formsCheck(new SubmissionSearchRepository(opened))),
    inDatabase('notifications', (opened) => notificationsCheck(new NotificationsRepository(opened))),
    inDatabase('erasures', (opened) => erasuresCheck(new ErasuresRepository(opened))),
    finding('disk', checkDisk(settings, outside)),
    finding(
      'files of résumés',
      checkFiles(settings, opening),
      settings.RESUMES_URL?.startsWith('s3:')
        ? 'See docs/deployment.md#résumés-in-object-storage'
        : 'See docs/operations.md#files-are-missing',
    ),
    ...(settings.OIDC_ISSUER ? [finding('single sign-on', checkSingleSignOn(settings))] : []),
    ...(isTrial ? [] : [finding(settings.SITE_URL, checkSite(settings, outside))]),
    ...(settings.INBOX_URL && settings.INBOX_USERS && !isTrial
      ? [finding(settings.INBOX_URL, checkInboxHost(settings, outside))]
      : []),
    ...(settings.ALERT_WEBHOOK_URL ? [] : [finding('ALERT_WEBHOOK_URL', Promise.resolve(NO_ALERTS))]),
  ];
  const causes = Promise.all(own).then((all) => new Set([...printed, ...all.map((one) => one?.cause)]));
  // These wait for the others, which have a time limit of their own.
  const findingOfProcess = findingWithin(2 * limits.check);
  return [
    ...own,
    findingOfProcess('api', checkProcess(settings.API_URL, outside, causes)),
    findingOfProcess('worker', checkProcess(settings.WORKER_URL, outside, causes)),
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

async function checkRedisAt(settings: Settings, answerMs: number): Promise<CheckResult> {
  const client = createRedisClient(settings, { maxRetriesPerRequest: 1, commandTimeout: answerMs });
  try {
    return await redisCheck(() => checkRedis(client, answerMs)).run();
  } finally {
    client.disconnect();
  }
}

/** Reads the configuration of the OpenID Connect provider as the sign-in does. */
async function checkSingleSignOn(settings: Settings): Promise<CheckResult | void> {
  try {
    await discover(settings);
  } catch (error) {
    const { code, announced } = discoveryFault(error);
    return announced === undefined
      ? fault(
          `${settings.OIDC_ISSUER} does not answer as an OpenID Connect provider (${code})`,
          'Check that OIDC_ISSUER is exactly what the provider calls "issuer", and that a firewall lets the worker reach it. Users can sign in with passwords',
        )
      : fault(
          `the issuer that the provider announces differs from OIDC_ISSUER: ${announced}`,
          'Set OIDC_ISSUER to exactly this, with or without a slash at its end. Users can sign in with passwords',
        );
  }
  if (!settings.INBOX_USERS?.some(({ hash }) => hash === OIDC))
    return fault('no user can sign in with it', 'Add lines of address:role:oidc to INBOX_USERS');
}

async function checkDisk(
  { DATABASE_URL, RESUMES_URL = '' }: Settings,
  { freeBytesMin, freeFilesMin }: Outside,
): Promise<CheckResult | void> {
  const paths = [DATABASE_URL, RESUMES_URL].filter((url) => url.startsWith('file:')).map(filePath);
  for (const path of paths) {
    const { bavail, bsize, files, ffree } = await statfs(path).catch(() => statfs(dirname(path)));
    const found = diskFault(bavail * bsize, freeBytesMin);
    if (found) return { status: 'degraded', ...found };
    // Some file systems, such as Btrfs, have no fixed number of inodes and report 0.
    if (files > 0 && ffree < freeFilesMin)
      return fault(
        `${ffree} files can still be created, although there is free space`,
        'See df -i, and docs/operations.md#disk-full',
      );
  }
}

/** Reads the files as the service does, with the same check that they belong to the database. */
async function checkFiles(settings: Settings, opening: Promise<Database>): Promise<CheckResult | void> {
  const files = await openFileStorage(settings);
  await files.readMarker();
  for await (const _ of files.list()) break;
  const database = await opening.catch(() => undefined);
  if (!database) return;
  try {
    await refuseForeignFiles(database, files);
    await refuseUnmarkedFiles(new SubmissionSearchRepository(database), files);
  } catch (error) {
    return fault((error as Error).message);
  }
}

const NO_ALERTS: CheckResult = {
  status: 'ok',
  advice: "is not set, so alerts are only in the worker's log. Set it to the address of a chat's incoming webhook",
};

/** Posts an alert as the worker does, but only once. */
async function trialAlert(
  settings: Settings,
  ALERT_WEBHOOK_URL: string,
  { alertTimeoutMs }: Outside,
): Promise<CheckResult | void> {
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
    ? fault(
        `ALERT_WEBHOOK_URL answers ${status}, a redirect, which alerts do not follow`,
        'Set the address that it leads to',
      )
    : fault(`ALERT_WEBHOOK_URL answers ${status}`, 'Create the webhook again, and set its new address');
}
