import { readFileSync } from 'node:fs';
import { object, string, ValidationError, type AnyObject, type InferType, type ObjectSchema } from 'yup';
import { hostname } from 'node:os';
import {
  certificateFile,
  domainName,
  hostName,
  mailbox,
  neededWith,
  nodeList,
  notBeside,
  port,
  readableFile,
  rsaPrivateKey,
  secret,
  timeZone,
  url,
  wholeNumber,
} from './formats.ts';

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
  'DATABASE_URL',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'CLAMD_URL',
  'ALERT_WEBHOOK_URL',
  'DKIM_PRIVATE_KEY',
  'FORM_SECRET',
  'CANARY_SECRET',
  'QUEUE_DASHBOARD_PASSWORD',
] as const;

const storage = object({
  /** `file:` and a file, a relative one from the working directory on, for SQLite; or `postgres://`. */
  DATABASE_URL: url('file:', 'postgres://', 'postgresql://').default('file:.data/submissions.db'),
  /** `file:` and a folder, or `s3://bucket/prefix`, with `?path-style` where needed; unset: beside the database's file. */
  RESUMES_URL: url('file:', 's3://'),
  /** Object storage only: where uploads wait on this machine until they are in the bucket. */
  UPLOAD_DIR: string(),
  AWS_REGION: string(),
  /** A server other than Amazon's. */
  AWS_ENDPOINT_URL_S3: url('https://', 'http://'),
  /** Without keys: what the SDK finds, such as the role of the machine. */
  AWS_ACCESS_KEY_ID: neededWith(string(), 'AWS_SECRET_ACCESS_KEY'),
  AWS_SECRET_ACCESS_KEY: neededWith(string(), 'AWS_ACCESS_KEY_ID'),
  AWS_SESSION_TOKEN: string(),
});

const redis = {
  /** One server. With Sentinel or a cluster its host counts for nothing, and scheme, user, password and database for all. */
  REDIS_URL: url('redis://', 'rediss://').default('redis://127.0.0.1:6379'),
  /** The Sentinels that know the server. */
  REDIS_SENTINELS: notBeside(nodeList(), 'REDIS_CLUSTER_NODES'),
  /** What they call it. */
  REDIS_SENTINEL_NAME: string().default('mymaster'),
  /** Their own password, where they have one. */
  REDIS_SENTINEL_PASSWORD: string(),
  /** Some nodes of a cluster; the others are found. */
  REDIS_CLUSTER_NODES: nodeList(),
  /** File with the certificate in PEM that signed the servers'; unset: those that Node.js trusts. */
  REDIS_CA_FILE: readableFile(),
};

const mail = {
  /** The company's name as mails show it: in `From`, and at the head of each message. */
  COMPANY_NAME: string()
    .matches(/^[^\p{Cc}]{1,80}$/u, 'must be 1 to 80 characters without line breaks')
    .default('Kitewright'),
  SMTP_URL: url('smtp://', 'smtps://').default('smtp://127.0.0.1:1025'),
  /** Name by which we greet the mail server; unset: the host of `SITE_URL`. */
  SMTP_HELO_NAME: hostName(),
  /** File with the certificate in PEM that signed the mail server's, trusted beside the public ones. */
  SMTP_CA_FILE: certificateFile(),
  SALES_INBOX: mailbox().default('hello@kitewright.example'),
  HR_INBOX: mailbox().default('careers@kitewright.example'),
  MAIL_FROM: mailbox().default('no-reply@kitewright.example'),
  /** Who is told when a message is returned after it was accepted (the envelope's sender); unset: `MAIL_FROM`. */
  MAIL_BOUNCES_TO: mailbox(),
  /** Largest encoded message in bytes; unset: only the mail server's own limit counts. */
  MAIL_MAX_BYTES: wholeNumber(1),
  /** Of the times that mails show, as the tz database names it. */
  TIME_ZONE: timeZone().default('UTC'),
  /** Domain that signs; that of MAIL_FROM or one above it. */
  DKIM_DOMAIN: neededWith(domainName(), 'DKIM_SELECTOR', 'DKIM_PRIVATE_KEY'),
  /** Where its public key is: the TXT record `<selector>._domainkey.<domain>`. */
  DKIM_SELECTOR: neededWith(domainName(), 'DKIM_DOMAIN', 'DKIM_PRIVATE_KEY'),
  DKIM_PRIVATE_KEY: neededWith(rsaPrivateKey(), 'DKIM_DOMAIN', 'DKIM_SELECTOR'),
};

/** The synthetic enquiry. The api needs the secret alone. */
const canary = {
  /** Minutes from one to the next; unset: none is sent. */
  CANARY_INTERVAL_MINUTES: wholeNumber(1, 1440),
  /** Who gets them: an inbox that nobody reads, or a program. */
  CANARY_INBOX: neededWith(mailbox(), 'CANARY_INTERVAL_MINUTES'),
  /** Shared by api and workers: tells our own enquiry from anything a visitor could send. */
  CANARY_SECRET: neededWith(secret(), 'CANARY_INTERVAL_MINUTES'),
  /** Where they are posted, as visitors do; unset: `SITE_URL`. */
  CANARY_URL: url('https://', 'http://'),
};

const service = storage.shape({
  SITE_URL: url('https://', 'http://').default('https://kitewright.example'),
  /** Name of this machine or container in alerts. */
  INSTANCE: string()
    .matches(/^[A-Za-z0-9_.-]{1,100}$/, 'must be 1 to 100 letters, digits, dots, dashes or underscores')
    .default(() => hostname()),
  API_HOST: string().default('127.0.0.1'),
  API_PORT: port(3000),
  WORKER_HOST: string().default('127.0.0.1'),
  WORKER_PORT: port(3001),
  ...redis,
  ...mail,
  /** Days that a delivered submission is kept. */
  RETENTION_DAYS: wholeNumber(1, 36_500).default(30),
  /** Submissions per client and minute. */
  RATE_LIMIT_PER_MINUTE: wholeNumber(1).default(20),
  /** Bytes of résumés per client and hour. */
  UPLOAD_BYTES_PER_HOUR: wholeNumber(1).default(200 * 1024 * 1024),
  /** Signs form tokens; unset: the replicas agree on a random one. */
  FORM_SECRET: secret(),
  CLAMD_URL: url('tcp://', 'unix:'),
  ALERT_WEBHOOK_URL: url('https://', 'http://'),
  ...canary,
  /** Opens the page about the queue on the worker's port; unset: there is none. */
  QUEUE_DASHBOARD_PASSWORD: secret(16),
});

/** Where Redis is: one server, one that Sentinel watches, or a cluster. Only `REDIS_URL` is needed for one server. */
export type RedisSettings = Pick<Settings, 'REDIS_URL'> & Partial<Pick<Settings, keyof typeof redis>>;

type MailPreset = 'COMPANY_NAME' | 'SMTP_URL' | 'SALES_INBOX' | 'HR_INBOX' | 'MAIL_FROM' | 'TIME_ZONE';

/** How mails look, where they go, and who takes them. */
export type MailSettings = Pick<Settings, MailPreset> & Partial<Pick<Settings, Exclude<keyof typeof mail, MailPreset>>>;

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
