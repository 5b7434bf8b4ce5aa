import { readFileSync } from 'node:fs';
import { object, string, ValidationError, type AnyObject, type InferType, type ObjectSchema } from 'yup';
import { hostname } from 'node:os';
import {
  certificateFile,
  domainName,
  hostName,
  inboxUsers,
  mailbox,
  requiredWith,
  port,
  readableFile,
  rsaPrivateKey,
  timeZone,
  url,
  wholeNumber,
} from './formats.ts';

/** Injection token of the {@link Settings}. */
export const SETTINGS = Symbol('SETTINGS');

/** The environment is wrong. Each mistake names the variable and never a value; the message lists them all. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(`The environment has mistakes:\n${mistakes.map((line) => `  ${line}`).join('\n')}`);
    this.mistakes = mistakes;
  }
}

/** Variables that may hold a secret. `NAME_FILE` names a file with the value, and is used where both are set. */
export const SECRETS = [
  'SMTP_URL',
  'REDIS_URL',
  'DATABASE_URL',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'CLAMD_URL',
  'ALERT_WEBHOOK_URL',
  'DKIM_PRIVATE_KEY',
  'INBOX_USERS',
] as const;

const storage = object({
  /**
   * SQLite as `file:` and a path, which may be relative to the working directory; or PostgreSQL as `postgres://...`.
   */
  DATABASE_URL: url('file:', 'postgres://', 'postgresql://').default('file:.data/submissions.db'),
  /**
   * A folder as `file:` and a path, or `s3://bucket/prefix`, with `?path-style` where needed. The default is a folder
   * beside the database.
   */
  RESUMES_URL: url('file:', 's3://'),
  /** The folder where uploads wait until they are in the bucket; only with object storage. */
  UPLOAD_DIR: string(),
  AWS_REGION: string(),
  /** The address of an object store other than Amazon's. */
  AWS_ENDPOINT_URL_S3: url('https://', 'http://'),
  /** Without these keys the SDK uses what it finds, such as the role of the machine. */
  AWS_ACCESS_KEY_ID: requiredWith(string(), 'AWS_SECRET_ACCESS_KEY'),
  AWS_SECRET_ACCESS_KEY: requiredWith(string(), 'AWS_ACCESS_KEY_ID'),
  AWS_SESSION_TOKEN: string(),
});

const redis = {
  REDIS_URL: url('redis://', 'rediss://').default('redis://127.0.0.1:6379'),
  /** File in PEM with the certificate authority of the Redis server. The default is those that Node.js trusts. */
  REDIS_CA_FILE: readableFile(),
};

const mail = {
  /** The company's name in mails, in alerts and on the pages that answer a form without script. */
  COMPANY_NAME: string()
    .matches(/^[^\p{Cc}]{1,80}$/u, 'must be 1 to 80 characters without line breaks')
    .default('Kitewright'),
  SMTP_URL: url('smtp://', 'smtps://').default('smtp://127.0.0.1:1025'),
  /** The name in EHLO. The default is the host of `SITE_URL`. */
  SMTP_HELO_NAME: hostName(),
  /** File in PEM with the certificate authority of the mail server, which is trusted beside the public ones. */
  SMTP_CA_FILE: certificateFile(),
  SALES_INBOX: mailbox().default('hello@kitewright.example'),
  HR_INBOX: mailbox().default('careers@kitewright.example'),
  MAIL_FROM: mailbox().default('no-reply@kitewright.example'),
  /**
   * The envelope's sender, who gets messages that are returned after they were accepted. The default is `MAIL_FROM`.
   */
  MAIL_BOUNCES_TO: mailbox(),
  /** The largest encoded message in bytes. The default is the mail server's own limit. */
  MAIL_MAX_BYTES: wholeNumber(1),
  /** The time zone of the times in mails, by its name in the tz database. */
  TIME_ZONE: timeZone().default('UTC'),
  /** The domain of the DKIM signature: that of `MAIL_FROM` or one above it. */
  DKIM_DOMAIN: requiredWith(domainName(), 'DKIM_SELECTOR', 'DKIM_PRIVATE_KEY'),
  /** The DKIM selector: the TXT record `<selector>._domainkey.<domain>` holds the public key. */
  DKIM_SELECTOR: requiredWith(domainName(), 'DKIM_DOMAIN', 'DKIM_PRIVATE_KEY'),
  DKIM_PRIVATE_KEY: requiredWith(rsaPrivateKey(), 'DKIM_DOMAIN', 'DKIM_SELECTOR'),
};

const service = storage.shape({
  SITE_URL: url('https://', 'http://').default('https://kitewright.example'),
  /** The name of this machine or container in alerts. */
  INSTANCE: string()
    .matches(/^[A-Za-z0-9_.-]{1,100}$/, 'must be 1 to 100 letters, digits, dots, dashes or underscores')
    .default(() => hostname()),
  API_HOST: string().default('127.0.0.1'),
  API_PORT: port(3000),
  WORKER_HOST: string().default('127.0.0.1'),
  WORKER_PORT: port(3001),
  ...redis,
  ...mail,
  /** Delivered submissions are deleted after so many days. */
  RETENTION_DAYS: wholeNumber(1, 36_500).default(30),
  /** Accepted submissions per client and minute. */
  RATE_LIMIT_PER_MINUTE: wholeNumber(1).default(20),
  /** Accepted bytes of résumés per client and hour. */
  UPLOAD_BYTES_PER_HOUR: wholeNumber(1).default(200 * 1024 * 1024),
  CLAMD_URL: url('tcp://', 'unix:'),
  /** Who may open the inbox, a line of `name:role:hash` each. Without it there is no inbox. */
  INBOX_USERS: inboxUsers(),
  ALERT_WEBHOOK_URL: url('https://', 'http://'),
});

/** How to reach Redis. */
export type RedisSettings = Pick<Settings, 'REDIS_URL'> & Partial<Pick<Settings, keyof typeof redis>>;

type MailPreset = 'COMPANY_NAME' | 'SMTP_URL' | 'SALES_INBOX' | 'HR_INBOX' | 'MAIL_FROM' | 'TIME_ZONE';

/** How mails look, where they go, and the server that takes them. */
export type MailSettings = Pick<Settings, MailPreset> & Partial<Pick<Settings, Exclude<keyof typeof mail, MailPreset>>>;

/** The settings of a program that only reads and changes stored submissions, such as the operator's commands. */
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
  return readVariables(service, environment);
}

/** Reads only the storage settings, so that the operator's commands work without a mail server or a Redis. */
export function readStorageSettings(environment: Environment = process.env): StorageSettings {
  return readVariables(storage, environment);
}

/**
 * Reads the variables that a schema names.
 *
 * @throws SettingsError that lists all mistakes at once
 */
export function readVariables<T extends AnyObject>(
  schema: ObjectSchema<T>,
  environment: Environment,
): ObjectSchema<T>['__outputType'] {
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
