import { placeholdersIn, readSettings, type Settings } from '../settings/settings.ts';
import { lineOf, sentences, type NamedResult } from '../health/checks.ts';
import type { Parts } from '../health/checks.ts';
import { HealthService } from '../health/health.service.ts';
import { StorageHealth } from '../health/storage-health.service.ts';
import { VERSION } from '../settings/version.ts';
import { NotificationsRepository } from '../outbox/notifications.repository.ts';
import { checkRedis, createRedisClient } from '../redis/redis-client.ts';
import { ErasureService } from '../submissions/erasure.service.ts';
import { Installation } from '../submissions/installation.service.ts';
import { unknownRecipients } from '../submissions/recipients.ts';
import { openFileStorage } from '../files/file-storage.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { ANSWER_MS, outsideChecks, resultsOfProcess } from './doctor-checks.ts';
import { openExisting, type Register } from './storage.ts';
import { EXIT, OperatorError, type Terminal } from './terminal.ts';

/** Hosts of the mail catcher in `npm start` and docker-compose.override.yml. */
const CATCHERS = new Set(['127.0.0.1', 'mail']);

/** Time limit of a check. */
const CHECK_MS = 15_000;

export const registerDoctor: Register = (program, { terminal, environment }) =>
  program
    .command('doctor')
    .description('check settings and services, and print what to do about each fault')
    .option('--send', 'also send a trial mail to each mailbox, and a trial alert')
    .action(({ send }: { send?: true }) => doctor(terminal, environment, send));

/**
 * Runs the checks of /health, as far as a command has their parts, and those of what is outside, and prints what each says.
 *
 * @throws SettingsError about invalid settings; OperatorError if there is a fault
 */
export async function doctor(terminal: Terminal, environment: NodeJS.ProcessEnv, isSending = false): Promise<void> {
  const settings = readSettings(environment);
  // The trial's compose file sets NODE_ENV also for a mail server of one's own.
  const isTrial = environment.NODE_ENV === 'development' && CATCHERS.has(new URL(settings.SMTP_URL).hostname);
  const placeholders = isTrial ? [] : placeholdersIn(settings, { NODE_ENV: 'production' });
  const redis = createRedisClient(settings, { maxRetriesPerRequest: 1, commandTimeout: ANSWER_MS });
  const storage = await partsOfStorage(settings);
  try {
    const health = new HealthService({
      placeholders: [...placeholders, ...unknownRecipients(settings)],
      queue: { check: () => checkRedis(redis, ANSWER_MS) },
      ...storage,
    });
    health.timeoutMs = CHECK_MS;
    health.checks.push(...outsideChecks(settings, { isTrial, isSending, database: storage.database }));
    const results = [...(await health.results())].map(([{ name }, result]): NamedResult => ({ name, ...result }));
    const own = new Set(results.map(lineOf));
    for (const [name, url] of Object.entries({ api: settings.API_URL, worker: settings.WORKER_URL }))
      for (const result of await resultsOfProcess(url))
        if (!own.has(lineOf(result))) results.push({ ...result, name: `${name}: ${result.name}` });
    results.unshift({ name: 'version', status: 'ok', advice: VERSION });
    if (isTrial) results.unshift({ name: 'trial', status: 'ok', advice: 'the public site is not checked' });
    await print(terminal, results);
  } finally {
    redis.disconnect();
    await storage.database?.close();
  }
}

/** Opens the database. Without one, the check of the storage says why. */
async function partsOfStorage(settings: Settings): Promise<Partial<Parts>> {
  try {
    const database = await openExisting(settings.DATABASE_URL);
    const files = await openFileStorage(settings);
    const storage = new StorageHealth(database, files, new Installation(database, files));
    await storage.check();
    return {
      storage,
      database,
      search: new SubmissionSearchRepository(database),
      notifications: new NotificationsRepository(database),
      erasures: new ErasureService(database, files),
    };
  } catch (error) {
    return { storage: { cause: (error as Error).message, freeBytes: undefined } };
  }
}

/** Prints a line for each result. @throws OperatorError if there is a fault */
async function print(terminal: Terminal, results: readonly NamedResult[]): Promise<void> {
  const lines = results.map((result) => {
    const note = sentences(result) === '' ? 'ok  ' : 'note';
    return `${result.status === 'ok' ? note : 'FIX '}  ${lineOf(result)}`;
  });
  for (const line of lines) await terminal.printLine(line);
  const faults = lines.filter((line) => line.startsWith('FIX')).length;
  if (faults > 0) throw new OperatorError(`Faults to fix: ${faults}.`, EXIT.failure);
}
