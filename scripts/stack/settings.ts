import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { object, string } from 'yup';
import { requiredWith, wholeNumber } from '../../form-service/src/config/formats.ts';
import {
  readSettings as readServiceSettings,
  readVariables,
  SettingsError,
} from '../../form-service/src/config/settings.ts';
import { StartError } from './start-error.ts';

/** What the local stack itself reads from the environment; everything else is passed on to the service as it is. */
export interface Settings {
  /** The repository. */
  readonly root: string;
  /** Where the stack keeps its data, logs and pid files (`DATA_DIR`, default `.data`). */
  readonly dataDir: string;
  /** Address that nginx binds to. */
  readonly host: string;
  readonly port: number;
  readonly mailUiPort: number;
  /** An outside Redis is configured: none is started. */
  readonly outsideRedis: boolean;
  /** An outside mail server is configured: no catcher is started. */
  readonly outsideMail: boolean;
  /** Proxies in front whom nginx believes, as in `TRUSTED_PROXIES`. */
  readonly trustedProxies?: string | undefined;
  /** For how many seconds browsers are to use TLS alone. */
  readonly hstsMaxAge?: number;
  /** Paths in PEM: nginx ends TLS itself. */
  readonly tls?: { readonly certificate: string; readonly key: string; readonly port: number } | undefined;
  /** The form service is compiled again when its source changes, and its processes are started anew. */
  readonly isWatching?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Without characters that nginx would read as something else than part of a path. */
const path = () =>
  string()
    .transform((file?: string) => file && resolve(file))
    .matches(/^[^\s"';{}$]*$/, 'must be a path without spaces, quotes and ; { } $');

const port = (preset: number) => wholeNumber(1, 65_535).default(preset);

const pemFile = (what: string, parse: (pem: Buffer) => unknown) =>
  path().test('pem', function test(file) {
    try {
      if (file !== undefined) parse(readFileSync(file));
      return true;
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      const message = syscall ? `names a file that cannot be read (${code})` : `must name a file with ${what} in PEM`;
      return this.createError({ message });
    }
  });

const schema = object({
  HOST: string()
    .matches(/^[0-9a-zA-Z.:_-]+$/, 'must be an address or a host name')
    .default('127.0.0.1'),
  PORT: port(8080)
    .test('mail', 'must differ from MAIL_UI_PORT', (own, { parent }) => parent.SMTP_URL || own !== parent.MAIL_UI_PORT)
    .test('tls', 'must differ from TLS_PORT', (own, { parent }) => !parent.TLS_CERTIFICATE || own !== parent.TLS_PORT),
  MAIL_UI_PORT: port(1080),
  DATA_DIR: path().default(() => resolve('.data')),
  // Otherwise the build would fail on it, without its name.
  ANALYTICS_URL: string().matches(/^https?:\/\/[^\s"'`;]+$/, 'must be a URL that starts with https:// or http://'),
  // No host names: they would be believed for as long as somebody else's DNS says so.
  TRUSTED_PROXIES: string().test(
    'ranges',
    'must be "host", or addresses or networks separated by commas, such as 10.1.0.0/16,fd00::/8, and not everybody',
    (text = '') =>
      text
        .split(/[\s,]+/)
        .filter(Boolean)
        .every((one) => one === 'host' || isRange(one)),
  ),
  HSTS_MAX_AGE: wholeNumber(0, 63_072_000).default(86_400),
  TLS_PORT: port(8443),
  TLS_CERTIFICATE: requiredWith(
    pemFile('a certificate', (pem) => new X509Certificate(pem)),
    'TLS_CERTIFICATE_KEY',
  ),
  TLS_CERTIFICATE_KEY: requiredWith(pemFile('a private key', createPrivateKey), 'TLS_CERTIFICATE').test(
    'pair',
    'is not the key of TLS_CERTIFICATE',
    (key, { parent }) => isPair(parent.TLS_CERTIFICATE, key),
  ),
  // The service's own: here it only counts whether there is one.
  SMTP_URL: string(),
  REDIS_URL: string(),
});

/** Reads the settings, or throws a {@link SettingsError}. The variables that are the service's own are judged by the service. */
export function readSettings(env: Environment): Settings {
  const values = readVariables(schema, env);
  const { TLS_CERTIFICATE: certificate, TLS_CERTIFICATE_KEY: key } = values;
  return {
    root: process.cwd(),
    dataDir: values.DATA_DIR,
    host: values.HOST,
    port: values.PORT,
    mailUiPort: values.MAIL_UI_PORT,
    outsideRedis: Boolean(values.REDIS_URL),
    outsideMail: Boolean(values.SMTP_URL),
    trustedProxies: values.TRUSTED_PROXIES,
    hstsMaxAge: values.HSTS_MAX_AGE,
    tls: certificate && key ? { certificate, key, port: values.TLS_PORT } : undefined,
  };
}

/** Every mistake in the settings of the stack and of the service: each variable once, never a value. Empty when all is well. */
export function settingsMistakes(env: Environment): string[] {
  const mistakes = [readSettings, readServiceSettings].flatMap((read) => {
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

/** Reads the settings, or throws a {@link StartError} of one line that has all mistakes. */
export function requireSettings(env: Environment): Settings {
  const mistakes = settingsMistakes(env);
  if (mistakes.length > 0) throw new StartError(`Wrong settings: ${mistakes.join('; ')}.`);
  return readSettings(env);
}

function isRange(text: string): boolean {
  const [address = '', prefix = '1', ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || rest.length > 0) return false;
  return /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128);
}

/** Also true of what is none of both: that is another mistake. */
function isPair(certificate: string | undefined, key: string | undefined): boolean {
  try {
    if (certificate === undefined || key === undefined) return true;
    return new X509Certificate(readFileSync(certificate)).checkPrivateKey(createPrivateKey(readFileSync(key)));
  } catch {
    return true;
  }
}
