import type { InjectionToken } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../settings/durations.ts';
import type { Database } from '../database/database.ts';
import { lastRun } from '../database/properties.ts';
import type { VirusScanner } from '../delivery/virus-scanner.service.ts';
import type { AlertKind } from '../alerts/alerts.service.ts';
import { deliveryErrorOf } from '../outbox/attempt.ts';
import type { NotificationsRepository } from '../outbox/notifications.repository.ts';
import type { ErasureService } from '../submissions/erasure.service.ts';
import { FREE_BYTES_MIN } from '../files/file-storage.ts';
import { recipientOf, type RecipientSettings } from '../submissions/recipients.ts';
import { historyOf } from '../submissions/submission.ts';
import type { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import type { SubmissionsRepository } from '../submissions/submissions.repository.ts';

/** Result of a check. Cause and advice contain names and codes, never visitors' data or secrets. */
export interface CheckResult {
  /** With `degraded` the process does its work, in spite of a problem; with `down` it cannot. */
  readonly status: 'ok' | 'degraded' | 'down';
  readonly cause?: string;
  /** Remedy for the operator. With the status `ok` it is about something optional. */
  readonly advice?: string;
  /** References or names of what is affected, for the alert. An empty list raises none. */
  readonly affected?: readonly string[];
  /** Words for the post of the alert only, such as the mail server's, which can hold an address. */
  readonly details?: string | undefined;
  /** Whether the check itself failed or took too long, so that nothing is known about the part. */
  readonly isUnknown?: boolean;
}

/** Diagnosis of one part. Health checks, alerts and `doctor` run the same one. */
export interface Check {
  readonly name: string;
  /** Time limit in milliseconds, if not that of all checks. */
  readonly timeoutMs?: number;
  /** Alert that is raised while the check is not ok, and for how many milliseconds that must last first. */
  readonly alert?: { readonly kind: AlertKind; readonly afterMs?: number };
  run(): CheckResult | Promise<CheckResult>;
}

/** Answer of the health checks. */
export interface HealthReport {
  readonly ready: boolean;
  readonly version: string;
  readonly checks: Readonly<Record<string, Pick<CheckResult, 'status' | 'cause' | 'advice'>>>;
}

export const OK: CheckResult = { status: 'ok' };

/** Result with the status `down`, or `ok` without a cause. */
export const down = (cause?: string, advice?: string): CheckResult =>
  cause === undefined ? OK : { status: 'down', cause, ...(advice !== undefined && { advice }) };

/** Result with the status `degraded`, or `ok` without causes. */
export const degraded = (causes: readonly string[], rest: Omit<CheckResult, 'status' | 'cause'> = {}): CheckResult =>
  causes.length === 0 ? OK : { status: 'degraded', cause: causes.join(', '), ...rest };

/** Joins cause and advice with one full stop between them. */
export const sentences = ({ cause = '', advice = '' }: Pick<CheckResult, 'cause' | 'advice'>): string =>
  [cause.replace(/\.$/, ''), advice].filter(Boolean).join('. ');

/** Result of a check with its name. */
export interface NamedResult extends CheckResult {
  readonly name: string;
}

/** Formats a result in a line. */
export const lineOf = (result: NamedResult): string => [result.name, sentences(result)].filter(Boolean).join(': ');

/** Metrics that checks set. Their labels are fixed words, never a visitor's. */
const metrics = {
  submissions: new Gauge({
    name: 'kitewright_submissions',
    help: 'Submissions in the store that are not delivered, by state',
    labelNames: ['state'],
  }),
  oldestPendingSeconds: new Gauge({
    name: 'kitewright_submission_oldest_pending_seconds',
    help: 'Age of the oldest pending submission; 0 if there is none',
  }),
  overdue: new Gauge({
    name: 'kitewright_submissions_overdue',
    help: 'Submissions, up to 500, that are pending for longer than the 5 minutes in which they should be delivered',
  }),
  jobs: new Gauge({ name: 'kitewright_delivery_jobs', help: 'Jobs in Redis, by state', labelNames: ['state'] }),
};

/** Parts of the service that checks ask. A process or command has some of them, and runs the checks that need no others. */
export interface Parts {
  /** Settings that let the service start but lose its messages, each in a sentence. */
  readonly placeholders: readonly string[];
  readonly storage: { readonly cause: string | undefined; readonly freeBytes: number | undefined };
  readonly database: Database;
  readonly search: SubmissionSearchRepository;
  readonly notifications: NotificationsRepository;
  readonly erasures: ErasureService;
  /** Redis of the queue. */
  readonly queue: { check(): Promise<string | undefined>; counts?(): Promise<Readonly<Record<string, number>>> };
  /** Redis of the counters. Without it the api works, and each replica counts for itself. */
  readonly counters: { check(): Promise<string | undefined> };
  readonly mailServer: { readonly outage: { readonly since: number; readonly failure: Error } | undefined };
  readonly scanner: Pick<VirusScanner, 'isEnabled' | 'ping'>;
  readonly submissions: SubmissionsRepository;
  readonly recipients: RecipientSettings;
  readonly tasks: { readonly stalled: readonly string[] };
  readonly alerts: { readonly activeKinds: readonly AlertKind[] };
}

/** Injection token of the {@link Parts} of a process. */
export const PARTS = Symbol('PARTS');

/** Provides the parts of a process. @param tokens injection token of each part */
export const partsProvider = (tokens: { readonly [name in keyof Parts]?: InjectionToken }) => ({
  provide: PARTS,
  inject: Object.values(tokens),
  useFactory: (...parts: unknown[]) => Object.fromEntries(Object.keys(tokens).map((name, at) => [name, parts[at]])),
});

/** Free space below which an alert is raised. It holds dozens of files, so the operator can act before that. */
const FREE_BYTES_ALERT = 512 * 2 ** 20;

/** Time within which sales or HR should have a submission. Visitors are promised a day; this limit is our own. */
const OVERDUE_MS = 5 * MINUTE_MS;

/** Time after which a temporary refusal is reported. Greylisting ends sooner by itself. */
const GREYLISTING_MS = HOUR_MS;

/** Age of a backup that raises an alert. */
const BACKUP_MAX_AGE_MS = 2 * DAY_MS;

/** Period whose failed notifications an alert contains. It ends when the period has none. */
const RECENT_MS = HOUR_MS;

/**
 * Time of an outage before its alert, longer than a restart. It counts from the check that finds it. Between one and two
 * intervals of 10 s, the third check raises the alert even if it runs early.
 */
const REDIS_OUTAGE_MS = 15_000;
/** Shorter than the time until mails are overdue. */
const MAIL_OUTAGE_MS = 2 * MINUTE_MS;

/** Returns the checks that these parts allow, in the order in which `doctor` prints them. */
export function checksFor(parts: Partial<Parts>): Check[] {
  const { placeholders, storage, queue, counters, mailServer, scanner, submissions, recipients } = parts;
  const { search, notifications, erasures, database, tasks, alerts } = parts;
  const checks: readonly (Check | undefined)[] = [
    placeholders && { name: 'settings', run: () => degraded(placeholders) },
    storage && { name: 'storage', run: () => down(storage.cause), alert: { kind: 'storage-unavailable' } },
    storage && { name: 'disk', run: () => checkDisk(storage.freeBytes), alert: { kind: 'disk-nearly-full' } },
    queue && {
      name: 'redis',
      run: async () => redisResult(await checkQueue(queue), 'down'),
      alert: { kind: 'redis-away', afterMs: REDIS_OUTAGE_MS },
    },
    counters && { name: 'redis', run: async () => redisResult(await counters.check(), 'degraded') },
    mailServer && {
      name: 'mail server',
      run: () => checkMailServer(mailServer),
      alert: { kind: 'mail-server-away', afterMs: MAIL_OUTAGE_MS },
    },
    scanner && { name: 'virus scanner', run: () => checkScanner(scanner) },
    submissions &&
      recipients && {
        name: 'mailboxes',
        run: () => checkMailboxes(submissions, recipients),
        alert: { kind: 'mailbox-refuses' },
      },
    search && { name: 'deliveries', run: () => checkDeliveries(search), alert: { kind: 'submission-overdue' } },
    notifications && {
      name: 'notifications',
      run: () => checkNotifications(notifications),
      alert: { kind: 'notifications-given-up' },
    },
    erasures && { name: 'erasures', run: () => checkErasures(erasures) },
    database && search && { name: 'backup', run: () => checkBackup(database, search), alert: { kind: 'backup-old' } },
    tasks && { name: 'tasks', run: () => checkTasks(tasks.stalled), alert: { kind: 'task-stalled' } },
    alerts && { name: 'alerts', run: () => degraded(alerts.activeKinds.filter((kind) => !ofChecks.has(kind))) },
  ];
  const possible = checks.filter((one) => one !== undefined);
  /** The other alerts are raised by tasks when they run, such as those of digest and retention. */
  const ofChecks = new Set(possible.map(({ alert }) => alert?.kind));
  return possible;
}

function checkDisk(freeBytes = Infinity): CheckResult {
  if (freeBytes >= FREE_BYTES_ALERT) return OK;
  const [free, least] = [freeBytes, FREE_BYTES_MIN].map((bytes) => Math.floor(bytes / 2 ** 20));
  return degraded([`${free} MiB are free (df -h, df -i)`], {
    advice: `Below ${least}, nothing is accepted. Run docker system prune`,
  });
}

/** Checks Redis. Sets the gauge of the jobs, which has no values without Redis. */
async function checkQueue(queue: Parts['queue']): Promise<string | undefined> {
  const fault = await queue.check();
  const jobs = fault ? undefined : await queue.counts?.().catch(() => undefined);
  if (!jobs) metrics.jobs.reset();
  for (const [state, count] of Object.entries(jobs ?? {})) metrics.jobs.set({ state }, count);
  return fault;
}

function redisResult(fault: string | undefined, status: 'degraded' | 'down'): CheckResult {
  return fault === undefined ? OK : { status, cause: fault, affected: [fault] };
}

function checkMailServer({ outage }: Parts['mailServer']): CheckResult {
  return down(outage && `unavailable since ${new Date(outage.since).toISOString()}: ${outage.failure.message}`);
}

async function checkScanner(scanner: Parts['scanner']): Promise<CheckResult> {
  const failure = scanner.isEnabled ? await scanner.ping().then(() => undefined, deliveryErrorOf) : undefined;
  return down(failure?.reason);
}

/**
 * Checks whether the mail server accepts mails to every mailbox, with its words for the alert. A temporary refusal (4xx) is
 * reported later.
 */
async function checkMailboxes(submissions: SubmissionsRepository, recipients: RecipientSettings): Promise<CheckResult> {
  const refusals = new Map<string, string>();
  for (const submission of await submissions.waiting()) {
    const { code, reply } = historyOf(submission).findLast(({ event }) => event === 'attempt') ?? {};
    const isReported = reply?.startsWith('5') || Date.now() - submission.stateSince >= GREYLISTING_MS;
    if (reply && isReported) refusals.set(`${recipientOf(submission, recipients)} (${code})`, reply);
  }
  const affected = [...refusals.keys()];
  if (affected.length === 0) return OK;
  return degraded([`refused: ${affected.join(', ')}`], {
    affected,
    details: [...new Set(refusals.values())].join(' '),
  });
}

/** Checks whether deliveries have failed or are overdue. Sets the gauges of what is not delivered. */
async function checkDeliveries(search: SubmissionSearchRepository): Promise<CheckResult> {
  const backlog = await search.backlog();
  const affected = await search.pendingLongerThan(OVERDUE_MS);
  for (const state of ['pending', 'failed', 'quarantined'] as const) metrics.submissions.set({ state }, backlog[state]);
  metrics.oldestPendingSeconds.set(backlog.oldestPendingMs / 1_000);
  metrics.overdue.set(affected.length);
  const failed = backlog.failed > 0 ? [`${backlog.failed} failed`] : [];
  return degraded([...failed, ...(affected.length > 0 ? [`${affected.length} overdue`] : [])], { affected });
}

/** Checks whether webhook posts have failed for good (dead letters). */
async function checkNotifications(repository: NotificationsRepository): Promise<CheckResult> {
  const failed = await repository.countFailedPosts();
  if (failed === 0) return OK;
  return degraded([`${failed} posts to the webhook failed for good`], {
    advice: 'Fix the webhook, then run submissions resend --all-failed',
    affected: await repository.givenUpWithin(RECENT_MS),
  });
}

async function checkErasures(erasures: ErasureService): Promise<CheckResult> {
  const { count, since } = await erasures.backlog();
  if (since === null) return OK;
  const cause = `${count} incomplete, the oldest since ${new Date(since).toISOString()}`;
  return degraded([cause], { advice: 'The worker retries every minute; see the cause in its log' });
}

/** Checks whether a backup is new and complete enough. Before the first one, the first submission counts. */
async function checkBackup(database: Database, search: SubmissionSearchRepository): Promise<CheckResult> {
  const backup = await lastRun(database, 'backup');
  const since = backup?.at ?? (await search.oldestAt());
  const advice = 'Set it up with docs/install.md#7-back-up';
  if (since > 0 && Date.now() - since > BACKUP_MAX_AGE_MS) {
    const days = Math.floor((Date.now() - since) / DAY_MS);
    return degraded([backup ? `the latest that was kept elsewhere is ${days} days old` : 'there is none yet'], {
      advice,
    });
  }
  if (!backup) return { status: 'ok', advice: `there is none yet. ${advice}` };
  const lacks = (await lastRun(database, 'archive'))?.filesMissing ?? 0;
  const remedy = { advice: 'See docs/operations.md#files-are-missing', affected: [] };
  return degraded(lacks === 0 ? [] : [`files that the latest lacks: ${lacks}`], remedy);
}

const checkTasks = (stalled: readonly string[]): CheckResult =>
  stalled.length === 0 ? OK : { ...down(`stalled: ${stalled.join(', ')}`), affected: stalled };
