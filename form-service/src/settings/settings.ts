import { readFileSync } from 'node:fs';
import { object, string, ValidationError, type AnyObject, type InferType, type ObjectSchema, type Schema } from 'yup';
import { COMPANY_FILE, companyFact } from './company.ts';
import {
  dkimKey,
  hostName,
  inboxUsers,
  issuer,
  labels,
  mailbox,
  mailServerUrl,
  origin,
  requiredWith,
  recipients,
  timeOfDay,
  timeZone,
  url,
  webhookSecret,
  webhookUrl,
  wholeNumber,
} from './formats.ts';

/** Injection token of the {@link Settings}. */
export const SETTINGS = Symbol('SETTINGS');

/** Invalid settings. Each mistake names the variable, never a value. The message lists all of them. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(`The environment has mistakes:\n${mistakes.map((line) => `  ${line}`).join('\n')}`);
    this.mistakes = mistakes;
  }
}

/** Variables that may contain a secret. `NAME_FILE` names a file with the value, and takes precedence. */
export const SECRETS = [
  'SMTP_URL',
  'REDIS_URL',
  'DATABASE_URL',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'CLAMD_URL',
  'ALERT_WEBHOOK_URL',
  'DKIM_PRIVATE_KEY',
  'INBOX_USERS',
  'OIDC_CLIENT_SECRET',
  'SUBMISSION_WEBHOOK_URL',
  'SUBMISSION_WEBHOOK_SECRET',
] as const;

// .env.example explains each setting and its default.
const storage = object({
  DATABASE_URL: url('file:', 'postgres://', 'postgresql://').default('file:.data/submissions.db'),
  RESUMES_URL: url('file:', 's3://'),
  AWS_REGION: string(),
  AWS_ENDPOINT_URL_S3: url('https://', 'http://'),
  AWS_ACCESS_KEY_ID: requiredWith(string(), 'AWS_SECRET_ACCESS_KEY'),
  AWS_SECRET_ACCESS_KEY: requiredWith(string(), 'AWS_ACCESS_KEY_ID'),
  /** The api and the operator's commands only need to know whether it is set. */
  SUBMISSION_WEBHOOK_URL: webhookUrl(),
});

const redis = {
  REDIS_URL: url('redis://', 'rediss://').default('redis://127.0.0.1:6379'),
};

const DEFAULT_SMTP_URL = 'smtp://127.0.0.1:1025';

const mail = {
  COMPANY_NAME: string()
    .matches(/^[^\p{Cc}]{1,80}$/u, 'must be 1 to 80 characters without line breaks')
    .required('is missing'),
  SMTP_URL: mailServerUrl().default(DEFAULT_SMTP_URL),
  SMTP_HELO_NAME: hostName(),
  SALES_INBOX: mailbox().required('is missing'),
  HR_INBOX: mailbox().required('is missing'),
  RECIPIENTS: recipients(),
  MAIL_FROM: mailbox()
    .default('')
    .when('SITE_URL', ([site], field) => field.default(senderAt(String(site)))),
  MAIL_BOUNCES_TO: mailbox(),
  // With a smaller limit, such as 10 for "10 MB", every mail would fail.
  MAIL_MAX_BYTES: wholeNumber(100_000),
  TIME_ZONE: timeZone().default('UTC'),
  DIGEST_AT: timeOfDay().default('08:00'),
  DKIM_PRIVATE_KEY: dkimKey(),
};

const service = storage.shape({
  SITE_URL: url('https://', 'http://').required('is missing'),
  /** Addresses at which api and worker listen and `doctor` asks for their health. Images and `npm start` set both. */
  API_URL: url('http://').default('http://127.0.0.1:3000'),
  WORKER_URL: url('http://').default('http://127.0.0.1:3001'),
  ...redis,
  ...mail,
  RETENTION_DAYS: wholeNumber(1, 36_500).default(30),
  RATE_LIMIT_PER_MINUTE: wholeNumber(1).default(20),
  CLAMD_URL: url('tcp://', 'unix:'),
  /** Users of the inbox. Without users there is no inbox. */
  INBOX_USERS: inboxUsers(),
  /** The inbox on a host of its own, so that no script of the site shares its origin. */
  INBOX_URL: origin().test('host', 'must have another host than SITE_URL', (value, { parent }) => {
    const [own, site] = [value, parent.SITE_URL].map((one) => (URL.canParse(one) ? new URL(one).hostname : undefined));
    return own === undefined || own !== site;
  }),
  /** Minutes without a request after which a session ends. Each ends after 12 hours. */
  INBOX_IDLE_MINUTES: wholeNumber(5, 720).default(120),
  /** Labels that users of the inbox can give to submissions. */
  INBOX_LABELS: labels(),
  OIDC_ISSUER: requiredWith(issuer(), 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'),
  OIDC_CLIENT_ID: requiredWith(string(), 'OIDC_ISSUER', 'OIDC_CLIENT_SECRET'),
  OIDC_CLIENT_SECRET: requiredWith(string(), 'OIDC_ISSUER', 'OIDC_CLIENT_ID'),
  ALERT_WEBHOOK_URL: url('https://', 'http://'),
  ACKNOWLEDGE: string().oneOf(['on', 'off'], 'must be on or off').default('off'),
  SUBMISSION_WEBHOOK_SECRET: webhookSecret(),
});

/** Connection to Redis. */
export type RedisSettings = Pick<Settings, keyof typeof redis>;

/** Appearance, recipients and links of mails, and the mail server. */
export type MailSettings = Pick<Settings, keyof typeof mail | 'SITE_URL' | 'INBOX_URL' | 'INBOX_USERS'>;

/** Settings of programs that only read and change stored submissions, such as the operator's commands. */
export type StorageSettings = InferType<typeof storage>;

/** All settings of the form service, by the names of their variables. */
export type Settings = InferType<typeof service>;

/** Names of all variables with settings. */
export const SETTING_NAMES: readonly string[] = Object.keys(service.fields);

/** Settings that are facts about the company unless they are set. */
const FACTS: Readonly<Record<string, string>> = {
  COMPANY_NAME: 'name',
  SALES_INBOX: 'email',
  HR_INBOX: 'careersEmail',
  SITE_URL: 'host',
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads all settings.
 *
 * @param company file with the facts about the company
 * @throws SettingsError that lists all mistakes at once
 */
export function readSettings(environment: Environment = process.env, company?: URL): Settings {
  return readVariables(service, environment, company);
}

/**
 * Reads all settings for the worker, which must not send submissions to addresses of the example.
 *
 * @throws SettingsError
 */
export function readWorkerSettings(environment: Environment = process.env, company?: URL): Settings {
  const settings = readSettings(environment, company);
  const mistakes = environment['NODE_ENV'] === 'production' ? examplesIn(settings) : [];
  if (mistakes.length === 0) return settings;
  throw new SettingsError(mistakes);
}

/** Reads only the storage settings, so that the operator's commands work without mail server and Redis. */
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
  company?: URL,
): ObjectSchema<T>['__outputType'] {
  const mistakes: string[] = [];
  const labels: Record<string, string> = {};
  const values: Record<string, string | undefined> = {};
  for (const [name, field] of Object.entries(schema.fields) as [string, Schema][]) {
    const value = secretFromFile(name, environment, mistakes) || environment[name];
    if (value || (value === '' && field.spec.meta?.['mayBeEmpty'])) values[name] = value;
    else if (FACTS[name]) {
      values[name] = factOf(FACTS[name], company, environment);
      labels[name] = `${COMPANY_FILE}: ${FACTS[name]}`;
    }
  }
  try {
    const settings = schema.validateSync(values, { abortEarly: false });
    if (mistakes.length === 0) return settings;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    mistakes.push(...error.inner.map(({ path = '', message }) => `${labels[path] ?? path} ${message}`));
  }
  throw new SettingsError([...new Set(mistakes)]);
}

/** Returns a sentence for each setting that lets the service start but loses its messages. */
export function placeholdersIn(settings: Settings, { NODE_ENV }: Environment = process.env): string[] {
  const isUnsigned = settings.SUBMISSION_WEBHOOK_URL && !settings.SUBMISSION_WEBHOOK_SECRET;
  const unsigned = isUnsigned ? ['SUBMISSION_WEBHOOK_SECRET is not set: SUBMISSION_WEBHOOK_URL gets nothing'] : [];
  if (NODE_ENV !== 'production') return unsigned;
  return [
    ...unsigned,
    ...(settings.SMTP_URL === DEFAULT_SMTP_URL ? ['SMTP_URL is not set: no mail leaves this machine'] : []),
    ...examplesIn(settings),
  ];
}

/** Returns the sender of mails that a site has unless it is set. A mistake in its address is reported only once. */
function senderAt(site: string): string {
  const host = URL.canParse(site) ? new URL(site).hostname : 'company.example';
  return `no-reply@${host.replace(/^www\./, '')}`;
}

/** Returns a sentence for each setting with a mailbox that nobody can have (RFC 2606). */
function examplesIn(settings: Settings): string[] {
  const names = ['SALES_INBOX', 'HR_INBOX', 'MAIL_FROM', 'MAIL_BOUNCES_TO', 'RECIPIENTS'] as const;
  const found = names.filter((name) => {
    const value = settings[name] ?? '';
    return [...(typeof value === 'string' ? [value] : value.values())].some((address) => /\.example$/i.test(address));
  });
  const advice = `set it in .env, or in ${COMPANY_FILE}`;
  return found.map((name) => `${name} has an address under .example, which reaches nobody: ${advice}`);
}

/** @throws SettingsError */
function factOf(name: string, company: URL | undefined, environment: Environment): string | undefined {
  const set = Object.entries(FACTS).flatMap(([variable, fact]) =>
    environment[variable] ? [[fact, environment[variable]]] : [],
  );
  try {
    return companyFact(name, company, Object.fromEntries(set));
  } catch (error) {
    throw new SettingsError([(error as Error).message]);
  }
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
