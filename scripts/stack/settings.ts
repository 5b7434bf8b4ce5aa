import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { object, string } from 'yup';
import { wholeNumber } from '../../form-service/src/settings/formats.ts';
import {
  readSettings as readServiceSettings,
  readVariables,
  readWorkerSettings,
  SECRETS,
  SettingsError,
} from '../../form-service/src/settings/settings.ts';
import { StartError } from './start-error.ts';

/** Settings of the local stack. All other environment variables are passed to the service. */
export interface StackSettings {
  /** Path of the repository. */
  readonly root: string;
  /** Folder of data and logs (`DATA_DIR`, default `.data`). */
  readonly dataDir: string;
  /** Address that nginx binds to. */
  readonly host: string;
  readonly port: number;
  readonly mailUiPort: number;
  /** Whether `REDIS_URL` is set, so that the stack starts no Redis. */
  readonly hasExternalRedis: boolean;
  /** Whether `SMTP_URL` is set, so that the stack starts no mail catcher. */
  readonly hasExternalMail: boolean;
  /** Trusted reverse proxies, as in `TRUSTED_PROXIES`. */
  readonly trustedProxies?: string | undefined;
  /** Whether the inbox has users (`INBOX_USERS`). Otherwise nginx answers 404. */
  readonly hasInbox?: boolean;
  /** Host of its own of the inbox (`INBOX_URL`). */
  readonly inboxUrl?: string | undefined;
  /** Whether to recompile and restart the form service when its source changes. */
  readonly isWatching?: boolean;
  /** Whether a process that ends starts again. Otherwise the run ends with it. */
  readonly isRestarting?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

const port = (preset: number) => wholeNumber(1, 65_535).default(preset);

const schema = object({
  HOST: string()
    .matches(/^[0-9a-zA-Z.:_-]+$/, 'must be an address or a host name')
    .default('127.0.0.1'),
  PORT: port(8080).test(
    'mail',
    'must differ from MAIL_UI_PORT',
    (own, { parent }) => parent.SMTP_URL || own !== parent.MAIL_UI_PORT,
  ),
  MAIL_UI_PORT: port(1080),
  DATA_DIR: string()
    .transform((folder?: string) => folder && resolve(folder))
    // It needs no escaping in the quotes of nginx.
    .matches(/^[^"\\$\n\r]*$/, 'must be a path without double quotes, backslashes and $')
    .default(() => resolve('.data')),
  // Otherwise the build would fail without naming the variable.
  ANALYTICS_URL: string().matches(/^https?:\/\/[^\s"'`;]+$/, 'must be a URL that starts with https:// or http://'),
  // nginx/render-config validates it.
  TRUSTED_PROXIES: string(),
  // Of the containers, which do not check it.
  HSTS_MAX_AGE: wholeNumber(0, 63_072_000),
  // Settings of the service. Here it only matters whether they are set.
  INBOX_USERS: string(),
  INBOX_URL: string(),
  SMTP_URL: string(),
  REDIS_URL: string(),
});

/** Names of all variables with settings of the stack. */
export const STACK_SETTING_NAMES: readonly string[] = Object.keys(schema.fields);

/** Reads the settings, or throws a {@link SettingsError}. Does not validate the variables of the service. */
export function readSettings(env: Environment): StackSettings {
  const values = readVariables(schema, env);
  return {
    root: process.cwd(),
    dataDir: values.DATA_DIR,
    host: values.HOST,
    port: values.PORT,
    mailUiPort: values.MAIL_UI_PORT,
    hasExternalRedis: Boolean(values.REDIS_URL),
    hasExternalMail: Boolean(values.SMTP_URL),
    trustedProxies: values.TRUSTED_PROXIES,
    hasInbox: Boolean(values.INBOX_USERS),
    inboxUrl: values.INBOX_URL,
  };
}

/** NODE_ENV of the service. With the mail catcher this is a trial, which may use the addresses of the example. */
export const nodeEnvironment = (hasExternalMail: boolean, { NODE_ENV }: Environment): string =>
  hasExternalMail ? NODE_ENV || 'production' : 'development';

/** Names in `.env` that programs of others read, beside those of .env.example. */
const OF_OTHERS = /^(?:COMPOSE|DOCKER|NODE)_/;

/** Returns a sentence for each name in an `.env` that no program reads. `.env.example` has all others. */
export function unknownNames(envFile: string): string[] {
  const example = readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8');
  const known = new Set([...example.matchAll(/^#?([A-Z]\w*)=/gm)].map(([, name]) => name));
  for (const name of SECRETS) known.add(`${name}_FILE`);
  const unknown = Object.keys(parseEnv(envFile)).filter((name) => !known.has(name) && !OF_OTHERS.test(name));
  return unknown.map((name) => `${name}: no program reads this name in .env`);
}

/** Returns the mistakes in the settings of the stack and of the service, without values. */
export function settingsMistakes(env: Environment, readOfService = readServiceSettings): string[] {
  const mistakes = [readSettings, readOfService].flatMap((read: (env: Environment) => unknown) => {
    try {
      read(env);
      return [];
    } catch (error) {
      if (error instanceof SettingsError) return error.mistakes;
      throw error;
    }
  });
  return [...new Set(mistakes)];
}

/** Reads the settings, or throws a {@link StartError} that lists all mistakes in one line. */
export function requireSettings(env: Environment): StackSettings {
  const hasExternalMail = Boolean(env['SMTP_URL'] || env['SMTP_URL_FILE']);
  const mistakes = settingsMistakes(env, (all) =>
    readWorkerSettings({ ...all, NODE_ENV: nodeEnvironment(hasExternalMail, env) }),
  );
  if (mistakes.length > 0) throw new StartError(`Wrong settings: ${mistakes.join('; ')}.`);
  return readSettings(env);
}
