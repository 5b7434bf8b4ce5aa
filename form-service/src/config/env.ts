import { readFileSync } from 'node:fs';
import { object, string, ValidationError, type AnyObject, type InferType, type ObjectSchema } from 'yup';
import { canarySettings } from './canary-settings.ts';
import { port, secret, url, whole } from './formats.ts';
import { mailSettings } from './mail-settings.ts';
import { redisSettings } from './redis-settings.ts';
import { storageSettings } from './storage-settings.ts';

/** Injection token of the {@link Settings}. */
export const SETTINGS = Symbol('SETTINGS');

/** The environment is wrong. Every mistake names the variable and never holds a value; the message lists them all. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(`The environment has mistakes:\n${mistakes.map((line) => `  ${line}`).join('\n')}`);
    this.mistakes = mistakes;
  }
}

/** Variables that may hold a secret: `NAME_FILE` names a file to read the value from instead, and wins where both are set. */
export const SECRETS = [
  'SMTP_URL',
  'REDIS_URL',
  'REDIS_SENTINEL_PASSWORD',
  'STORAGE_URL',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'CLAMD_URL',
  'ALERT_WEBHOOK_URL',
  'DKIM_PRIVATE_KEY',
  'FORM_SECRET',
  'ALTCHA_HMAC_KEY',
  'CANARY_SECRET',
  'QUEUE_DASHBOARD_PASSWORD',
] as const;

const storage = object(storageSettings);

const service = storage.shape({
  SITE_URL: url('https://', 'http://').default('https://kitewright.example'),
  API_HOST: string().default('127.0.0.1'),
  API_PORT: port(3000),
  WORKER_HOST: string().default('127.0.0.1'),
  WORKER_PORT: port(3001),
  ...redisSettings,
  ...mailSettings,
  /** Days that a delivered submission is kept. */
  RETENTION_DAYS: whole(1, 36_500).default(30),
  /** Submissions per client and minute. */
  RATE_LIMIT_PER_MINUTE: whole(1).default(20),
  /** Signs form tokens; unset: the replicas agree on a random one. */
  FORM_SECRET: secret(),
  /** Signs the proof of work; unset: none is asked for. */
  ALTCHA_HMAC_KEY: secret(),
  CLAMD_URL: url('tcp://', 'unix:'),
  ALERT_WEBHOOK_URL: url('https://', 'http://'),
  ...canarySettings,
  /** Opens the page about the queue on the worker's port; unset: there is none. */
  QUEUE_DASHBOARD_PASSWORD: secret(16),
});

/** The part that a program needs which only reads and changes stored submissions. */
export type StorageSettings = InferType<typeof storage>;

/** Every setting of the form service, by the name of its variable. */
export type Settings = InferType<typeof service>;

/** The names of all variables that hold settings. */
export const SETTING_NAMES: readonly string[] = Object.keys(service.fields);

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads all settings.
 *
 * @throws SettingsError that lists all mistakes at once
 */
export function readSettings(environment: Environment = process.env): Settings {
  return read(service, environment);
}

/** Reads only the storage settings, so that the operator's commands work without a mail server or a Redis. */
export function readStorageSettings(environment: Environment = process.env): StorageSettings {
  return read(storage, environment);
}

function read<T extends AnyObject>(schema: ObjectSchema<T>, environment: Environment): ObjectSchema<T>['__outputType'] {
  const mistakes: string[] = [];
  const values: Record<string, string> = {};
  for (const name of Object.keys(schema.fields)) {
    const value = secretFromFile(name, environment, mistakes) || environment[name];
    if (value) values[name] = value;
  }
  try {
    const settings = schema.validateSync(values, { abortEarly: false });
    if (mistakes.length === 0) return settings;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    mistakes.push(...error.inner.map((one) => `${one.path} ${one.message}`));
  }
  throw new SettingsError([...new Set(mistakes)]);
}

function secretFromFile(name: string, environment: Environment, mistakes: string[]): string | undefined {
  const path = environment[`${name}_FILE`];
  if (!path || !(SECRETS as readonly string[]).includes(name)) return undefined;
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    mistakes.push(`${name}_FILE names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`);
    return undefined;
  }
}
