import { domainToASCII } from 'node:url';
import leven from 'leven';
import { SECRETS, SETTING_NAMES } from '../config/settings.ts';
import { fault, type Finding } from './finding.ts';

/** Names in `.env` that other programs read: Docker and Compose, nginx, the build of the pages, `npm start`. */
const OTHERS =
  'COMPOSE_FILE COMPOSE_PROJECT_NAME COMPOSE_PROFILES COMPOSE_PARALLEL_LIMIT COMPOSE_PATH_SEPARATOR COMPOSE_IGNORE_ORPHANS ' +
  'COMPOSE_REMOVE_ORPHANS COMPOSE_HTTP_TIMEOUT COMPOSE_PROGRESS COMPOSE_BAKE DOCKER_HOST DOCKER_CONTEXT DOCKER_CERT_PATH ' +
  'DOCKER_TLS_VERIFY DOCKER_BUILDKIT IMAGE_PREFIX VERSION PULL_POLICY HOST PORT MAIL_UI_PORT TRUSTED_PROXIES HSTS_MAX_AGE ' +
  'API_REPLICAS WORKER_REPLICAS DOMAIN REDIRECTED_DOMAIN CADDY_SUBNET IPV6 TLS_CERTIFICATE TLS_CERTIFICATE_KEY TLS_PORT TLS_FOLDER ACME_FOLDER ANALYTICS_URL ' +
  'DATA_DIR NODE_EXTRA_CA_CERTS NODE_USE_ENV_PROXY HTTPS_PROXY HTTP_PROXY NO_PROXY POSTGRES_PASSWORD GRAFANA_PASSWORD GRAFANA_PORT';

const FILES = [...SECRETS, 'GRAFANA_PASSWORD'].map((name) => `${name}_FILE`);
const KNOWN = [...SETTING_NAMES, ...OTHERS.split(' '), ...FILES];

/** Maximum Levenshtein distance of a suggested name. Two swapped letters count as 2. */
const EDITS_MAX = 2;

/** An assignment. Quoted values can have several lines, and a comment after them. */
const ASSIGNMENT =
  /^\s*(?:export\s+)?([A-Za-z_]\w*)[ \t]*=[ \t]*('[^']*'[ \t]*(?:#.*)?(?=\r?$)|"(?:[^"\\]|\\[^])*"[ \t]*(?:#.*)?(?=\r?$)|.*?)\s*$/gm;

/**
 * Checks an `.env`: its encoding, names that no program reads or that it has twice, values that Docker Compose and Node.js
 * parse differently, and a DOMAIN that is not the host of SITE_URL.
 */
export function envFileFindings(text: string, environment: NodeJS.ProcessEnv = {}): Finding[] {
  const { SITE_URL = '', INBOX_USERS, INBOX_URL } = environment;
  const lines = [...text.matchAll(ASSIGNMENT)].map(([, name = '', value = '']) => ({ name, value }));
  const findings: Finding[] = [];
  const add = (about: string, cause: string, advice?: string) => findings.push({ about, ...fault(cause, advice) });
  for (const cause of encodingFaults(text)) add('.env', cause);
  for (const [index, { name, value }] of lines.entries()) {
    for (const cause of faultsOf(name, value)) add(name, cause);
    if (lines.findIndex((one) => one.name === name) < index)
      add(name, 'is in .env twice, and the last one counts', 'Remove the other');
  }
  const domain = lines.findLast(({ name }) => name === 'DOMAIN')?.value.replace(/^(["'])(.*)\1$/, '$2');
  // Internationalized names are equal in Punycode, which URL uses.
  if (domain && URL.canParse(SITE_URL) && new URL(SITE_URL).hostname !== domainToASCII(domain))
    add('DOMAIN', `is ${domain}, but SITE_URL is ${SITE_URL}`, 'Write the same host into both');
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
