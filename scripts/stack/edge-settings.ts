import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';

/** TLS ended by nginx itself. */
export interface TlsSettings {
  /** Path of the certificate with its chain, in PEM. */
  readonly certificate: string;
  readonly key: string;
  readonly port: number;
}

/** Characters that nginx would read as something else than part of a path. */
export const NOT_IN_NGINX = /[\s"';{}$]/;
export const PLAIN_PATH = 'must be a path without spaces, quotes and ; { } $';

const RANGES = 'must be addresses or networks separated by commas, such as 10.1.0.0/16,fd00::/8, and not everybody';

/** Judges `TRUSTED_PROXIES`; host names would be believed for as long as somebody else's DNS says so. */
export function checkTrustedProxies(text: string, mistakes: string[]): void {
  const ranges = text.split(/[\s,]+/).filter(Boolean);
  if (!ranges.every(isRange)) mistakes.push(`TRUSTED_PROXIES ${RANGES}`);
}

function isRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || rest.length > 0) return false;
  return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

/** The certificate and its key, where both are named; undefined where neither is. */
export function readTls(
  paths: { readonly certificate?: string; readonly key?: string },
  root: string,
  port: number,
  mistakes: string[],
): TlsSettings | undefined {
  if (!paths.certificate && !paths.key) return undefined;
  const before = mistakes.length;
  const certificate = parseFile(
    'TLS_CERTIFICATE',
    'a certificate in PEM',
    paths.certificate,
    root,
    (pem) => new X509Certificate(pem),
    mistakes,
  );
  const key = parseFile('TLS_CERTIFICATE_KEY', 'a private key in PEM', paths.key, root, createPrivateKey, mistakes);
  if (certificate && key && !certificate.value.checkPrivateKey(key.value))
    mistakes.push('TLS_CERTIFICATE_KEY is not the key of TLS_CERTIFICATE');
  if (!certificate || !key || mistakes.length > before) return undefined;
  return { certificate: certificate.path, key: key.path, port };
}

function parseFile<Value>(
  name: string,
  what: string,
  file: string | undefined,
  root: string,
  parse: (pem: Buffer) => Value,
  mistakes: string[],
): { path: string; value: Value } | undefined {
  if (!file) {
    mistakes.push(`${name} must be set, as the other of TLS_CERTIFICATE and TLS_CERTIFICATE_KEY is`);
    return undefined;
  }
  const path = resolve(root, file);
  if (NOT_IN_NGINX.test(path)) {
    mistakes.push(`${name} ${PLAIN_PATH}`);
    return undefined;
  }
  try {
    const pem = readFileSync(path);
    try {
      return { path, value: parse(pem) };
    } catch {
      mistakes.push(`${name} must name a file with ${what}`);
    }
  } catch (error) {
    mistakes.push(`${name} names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  return undefined;
}
