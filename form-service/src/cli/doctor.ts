import { placeholdersIn, readSettings, type Settings } from '../config/settings.ts';
import { Database } from '../database/database.ts';
import { lineOf, sentences, type NamedResult } from '../health/check.ts';
import type { Parts } from '../health/checks.ts';
import { HealthService } from '../health/health.service.ts';
import { StorageHealth } from '../health/storage-health.service.ts';
import { VERSION } from '../health/version.ts';
import { NotificationsRepository } from '../outbox/notifications.repository.ts';
import { checkRedis, createRedisClient } from '../redis/redis-client.ts';
import { ErasuresRepository } from '../submissions/erasures.repository.ts';
import { Installation } from '../submissions/installation.service.ts';
import { unknownRecipients } from '../submissions/recipients.ts';
import { openFileStorage } from '../files/file-storage.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { OUTSIDE, outsideChecks, type Outside } from './outside-checks.ts';
import { resultsOfProcesses, siteCheck } from './site-checks.ts';
import type { Register } from './storage.ts';
import { EXIT, OperatorError, type Terminal } from './terminal.ts';
import { trials } from './trials.ts';

/** Hosts of the mail catcher in `npm start` and docker-compose.override.yml. */
const CATCHERS = new Set(['127.0.0.1', 'mail']);

export const registerDoctor: Register = (program, { terminal, environment }) =>
  program
    .command('doctor')
    .description('check settings, services and DNS records, and print what to do about each fault')
    .option('--send', 'also send a trial mail to each mailbox, and a trial alert')
    .action(({ send }: { send?: true }) => doctor(terminal, environment, { send: send === true }));

/**
 * Runs the checks of /health, as far as a command has their parts, and those of what is outside, and prints what each says.
 *
 * @throws SettingsError about invalid settings; OperatorError if there is a fault
 */
export async function doctor(
  terminal: Terminal,
  environment: NodeJS.ProcessEnv,
  { send, outside = OUTSIDE }: { readonly send: boolean; readonly outside?: Outside },
): Promise<void> {
  const settings = readSettings(environment);
  // The trial's compose file sets NODE_ENV also for a mail server of one's own.
  const isTrial = environment.NODE_ENV === 'development' && CATCHERS.has(new URL(settings.SMTP_URL).hostname);
  const placeholders = isTrial ? [] : placeholdersIn(settings, { NODE_ENV: 'production' });
  const redis = createRedisClient(settings, { maxRetriesPerRequest: 1, commandTimeout: outside.answerMs });
  const storage = await partsOfStorage(settings);
  try {
    const health = new HealthService({
      placeholders: [...placeholders, ...unknownRecipients(settings)],
      queue: { check: () => checkRedis(redis, outside.answerMs) },
      ...storage,
    });
    health.timeoutMs = outside.checkMs;
    health.checks.push(
      ...outsideChecks(settings, outside, { isTrial, database: storage.database }),
      ...(isTrial ? [] : [siteCheck(settings, outside)]),
      ...(send ? trials(settings, outside) : []),
    );
    const results = [...(await health.results())].map(([{ name }, result]) => ({ name, ...result }));
    const processes = await resultsOfProcesses(settings, outside, new Set(results.map(lineOf)));
    const notes = [
      { name: 'version', status: 'ok', advice: VERSION } as const,
      ...(isTrial ? [{ name: 'trial', status: 'ok', advice: 'the public site is not checked' } as const] : []),
    ];
    await print(terminal, [...notes, ...results, ...processes]);
  } finally {
    redis.disconnect();
    await storage.database?.close();
  }
}

/** Opens the database. Without one, the check of the storage says why. */
async function partsOfStorage(settings: Settings): Promise<Partial<Parts>> {
  try {
    const database = await Database.openExisting(settings.DATABASE_URL);
    const files = await openFileStorage(settings);
    const storage = new StorageHealth(database, files, new Installation(database, files));
    await storage.check();
    return {
      storage,
      database,
      search: new SubmissionSearchRepository(database),
      notifications: new NotificationsRepository(database),
      erasures: new ErasuresRepository(database),
    };
  } catch (error) {
    return { storage: { cause: (error as Error).message, freeBytes: undefined } };
  }
}

/** Prints a line for each result. @throws OperatorError if there is a fault */
async function print(terminal: Terminal, results: readonly NamedResult[]): Promise<void> {
  for (const result of results) {
    const note = sentences(result) === '' ? 'ok  ' : 'note';
    await terminal.printLine(`${result.status === 'ok' ? note : 'FIX '}  ${lineOf(result)}`);
  }
  const faults = results.filter(({ status }) => status !== 'ok').length;
  if (faults > 0) throw new OperatorError(`Faults to fix: ${faults}.`, EXIT.failure);
}
