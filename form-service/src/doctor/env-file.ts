import { dirname } from 'node:path';
import { parseEnv } from 'node:util';
import leven from 'leven';
import { SECRETS, SETTING_NAMES } from '../config/settings.ts';
import { fault, type Finding } from './finding.ts';

/** Names in `.env` that other programs read: Docker and Compose, nginx, the build of the pages, `npm start`. */
const OTHERS =
  'COMPOSE_FILE COMPOSE_PROJECT_NAME COMPOSE_PROFILES COMPOSE_PARALLEL_LIMIT COMPOSE_PATH_SEPARATOR COMPOSE_IGNORE_ORPHANS ' +
  'COMPOSE_REMOVE_ORPHANS COMPOSE_HTTP_TIMEOUT COMPOSE_PROGRESS COMPOSE_BAKE DOCKER_HOST DOCKER_CONTEXT DOCKER_CERT_PATH ' +
  'DOCKER_TLS_VERIFY DOCKER_BUILDKIT IMAGE_PREFIX VERSION PULL_POLICY HOST PORT MAIL_UI_PORT TRUSTED_PROXIES HSTS_MAX_AGE ' +
  'API_REPLICAS WORKER_REPLICAS CADDY_SUBNET TLS_CERTIFICATE TLS_CERTIFICATE_KEY TLS_PORT ACME_FOLDER ANALYTICS_URL ' +
  'DATA_DIR NODE_EXTRA_CA_CERTS NODE_USE_ENV_PROXY HTTPS_PROXY HTTP_PROXY NO_PROXY';

const KNOWN = [...SETTING_NAMES, ...OTHERS.split(' '), ...SECRETS.map((name) => `${name}_FILE`)];

/** Addresses that only this machine reaches. */
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|\[::1\]|localhost)$/;

/** Maximum Levenshtein distance of a suggested name. Two swapped letters count as 2. */
const EDITS_MAX = 2;

/** An assignment. Quoted values can have several lines, and a comment after them. */
const ASSIGNMENT =
  /^\s*(?:export\s+)?([A-Za-z_]\w*)[ \t]*=[ \t]*('[^']*'[ \t]*(?:#.*)?(?=\r?$)|"(?:[^"\\]|\\[^])*"[ \t]*(?:#.*)?(?=\r?$)|.*?)\s*$/gm;

/**
 * Checks an `.env`: its encoding, names that no program reads or that it has twice, values that Docker Compose and Node.js
 * parse differently, and settings that do not fit together.
 */
export function envFileFindings(text: string, environment: NodeJS.ProcessEnv = {}): Finding[] {
  const lines = [...text.matchAll(ASSIGNMENT)].map(([, name = '', value = '']) => ({ name, value }));
  const values = { ...environment, ...parseEnv(text.replace(/^\uFEFF/, '')) };
  const findings: Finding[] = [];
  const add = (about: string, cause: string, advice?: string) => findings.push({ about, ...fault(cause, advice) });
  for (const cause of encodingFaults(text)) add('.env', cause);
  for (const [index, { name, value }] of lines.entries()) {
    for (const cause of faultsOf(name, value)) add(name, cause);
    if (lines.findIndex((one) => one.name === name) < index)
      add(name, 'is in .env twice, and the last one counts', 'Remove the other');
  }
  for (const [name, cause, advice] of contradictions(values)) add(name, cause, advice);
  const ok: Finding[] = lines.length > 0 && findings.length === 0 ? [{ about: '.env', status: 'ok' }] : [];
  const { ANALYTICS_URL, INBOX_USERS, INBOX_URL } = values;
  const isShared = ANALYTICS_URL && INBOX_USERS && !INBOX_URL;
  return [...findings, ...ok, ...(isShared ? [SHARED_HOST] : [])];
}

/** Finds settings of the containers that do not fit together. Their effect would show only after a start. */
function* contradictions(values: NodeJS.ProcessEnv): Generator<[name: string, cause: string, advice: string]> {
  const { COMPOSE_FILE = '', COMPOSE_PROFILES = '', HOST, SITE_URL } = values;
  const { TLS_CERTIFICATE, TLS_CERTIFICATE_KEY, TLS_PORT } = values;
  const hasCaddy = COMPOSE_PROFILES.split(',').includes('caddy');
  if (hasCaddy && HOST !== undefined && !LOOPBACK.test(HOST))
    yield ['HOST', 'lets visitors reach nginx by plain HTTP, next to Caddy', 'Remove it'];
  if (hasCaddy && !SITE_URL)
    yield ['SITE_URL', 'is not set, and Caddy does not start', 'Write the https address of the site'];
  if (!COMPOSE_FILE || !TLS_CERTIFICATE || !TLS_CERTIFICATE_KEY) return;
  if (!TLS_PORT)
    yield [
      'TLS_PORT',
      'is not set, and nginx does not start',
      'Write the port at which visitors reach TLS, such as 443',
    ];
  if (dirname(TLS_CERTIFICATE) !== dirname(TLS_CERTIFICATE_KEY))
    yield [
      'TLS_CERTIFICATE_KEY',
      'is not in the folder of TLS_CERTIFICATE, which is all that the containers see',
      'Copy it there',
    ];
}

const SHARED_HOST: Finding = {
  about: 'ANALYTICS_URL',
  status: 'ok',
  advice:
    'its script shares the host with the inbox, so whoever controls it can read applications in the name of your staff. Set INBOX_URL (docs/deployment.md#the-inbox-on-a-host-of-its-own)',
};

/** Checks what editors on Windows write. Shell commands such as `sed` would take it for a part of a name or value. */
function* encodingFaults(text: string): Generator<string> {
  if (text.startsWith('\uFEFF')) yield 'begins with a byte order mark (BOM). Save it as UTF-8 without one';
  if (text.includes('\r')) yield "has Windows line ends. Remove them: sed -i 's/\\r$//' .env";
}

function* faultsOf(name: string, value: string): Generator<string> {
  if (!KNOWN.includes(name)) {
    const [near = ''] = KNOWN.toSorted((a, b) => leven(a, name) - leven(b, name));
    const isTypo = leven(near, name) <= EDITS_MAX;
    yield `no program reads this name in .env. ${isTypo ? `Do you mean ${near}?` : 'Remove it'}`;
  }
  const [quote = ''] = /^["']/.exec(value) ?? [];
  if (quote && !new RegExp(`^${quote}[^${quote}]*${quote}\\s*(#.*)?$`).test(value.replaceAll('\\"', '')))
    return yield `has an unclosed quote. Write ${quote} before and after the value, and nowhere in it`;
  const isLiteral = /^'[^']*'\s*(?:#.*)?$/.test(value);
  if (!isLiteral && (value.startsWith('"') ? value.includes('$') : /[$#]/.test(value)))
    yield 'Docker Compose and Node.js read its $ or # differently. Put the value in single quotes';
}
