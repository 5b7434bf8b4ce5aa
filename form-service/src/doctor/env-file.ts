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

const SECRET = 'Remove it, after scripts/make-secrets has written secrets/ with it';
const SIGNATURE = 'Write SELECTOR._domainkey.DOMAIN as the first line of DKIM_PRIVATE_KEY, above the key, instead';

/** Advice about names of settings of version 0.4. */
const FORMER: Readonly<Record<string, string>> = {
  API_HOST: 'Write API_URL=http://HOST:PORT instead',
  API_PORT: 'Write API_URL=http://HOST:PORT instead',
  WORKER_HOST: 'Write WORKER_URL=http://HOST:PORT instead',
  WORKER_PORT: 'Write WORKER_URL=http://HOST:PORT instead',
  UPLOAD_DIR: 'Remove it: uploads wait next to the database file, or in the folder of TMPDIR',
  UPLOAD_BYTES_PER_HOUR: 'Remove it: for each submission of RATE_LIMIT_PER_MINUTE, 10 MiB of files are allowed an hour',
  TLS_FOLDER: 'Remove it: containers see the folder of TLS_CERTIFICATE, which must have the key too',
  IPV6: 'Remove it. For true, write a Compose file: docs/deployment.md#tls',
  DOMAIN: 'Remove it: Caddy uses SITE_URL',
  REDIRECTED_DOMAIN: 'Remove it: www. leads to SITE_URL, or the name without it if SITE_URL has www.',
  POSTGRES_PASSWORD: SECRET,
  GRAFANA_PASSWORD: SECRET,
  GRAFANA_PASSWORD_FILE: SECRET,
  GRAFANA_PORT:
    'Remove it. For another port than 3030, write a Compose file: docs/deployment.md#prometheus-and-grafana',
  DKIM_DOMAIN: SIGNATURE,
  DKIM_SELECTOR: SIGNATURE,
};

/** Maximum Levenshtein distance of a suggested name. Two swapped letters count as 2. */
const EDITS_MAX = 2;

/** An assignment. Quoted values can have several lines, and a comment after them. */
const ASSIGNMENT =
  /^\s*(?:export\s+)?([A-Za-z_]\w*)[ \t]*=[ \t]*('[^']*'[ \t]*(?:#.*)?(?=\r?$)|"(?:[^"\\]|\\[^])*"[ \t]*(?:#.*)?(?=\r?$)|.*?)\s*$/gm;

/**
 * Checks an `.env`: its encoding, names that no program reads or that it has twice, and values that Docker Compose and
 * Node.js parse differently.
 */
export function envFileFindings(text: string, environment: NodeJS.ProcessEnv = {}): Finding[] {
  const { INBOX_USERS, INBOX_URL } = environment;
  const lines = [...text.matchAll(ASSIGNMENT)].map(([, name = '', value = '']) => ({ name, value }));
  const findings: Finding[] = [];
  const add = (about: string, cause: string, advice?: string) => findings.push({ about, ...fault(cause, advice) });
  for (const cause of encodingFaults(text)) add('.env', cause);
  for (const [index, { name, value }] of lines.entries()) {
    for (const cause of faultsOf(name, value)) add(name, cause);
    if (lines.findIndex((one) => one.name === name) < index)
      add(name, 'is in .env twice, and the last one counts', 'Remove the other');
  }
  const ok: Finding[] = lines.length > 0 && findings.length === 0 ? [{ about: '.env', status: 'ok' }] : [];
  const hasAnalytics =
    environment['ANALYTICS_URL'] || lines.some(({ name, value }) => name === 'ANALYTICS_URL' && value);
  const isShared = hasAnalytics && INBOX_USERS && !INBOX_URL;
  return [...findings, ...ok, ...(isShared ? [SHARED_HOST] : [])];
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
  if (FORMER[name]) yield `is no setting any more. ${FORMER[name]}`;
  else if (!KNOWN.includes(name)) {
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
