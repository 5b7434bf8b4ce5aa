import leven from 'leven';
import { SECRETS, SETTING_NAMES } from '../config/settings.ts';
import type { Finding } from './finding.ts';

/** Names in `.env` that other programs read: Docker Compose, nginx, the build of the pages, `npm start`. */
const OTHERS =
  'COMPOSE_FILE COMPOSE_PROJECT_NAME COMPOSE_PROFILES IMAGE_PREFIX VERSION HOST PORT MAIL_UI_PORT TRUSTED_PROXIES HSTS_MAX_AGE ' +
  'API_REPLICAS WORKER_REPLICAS DOMAIN REDIRECTED_DOMAIN CADDY_SUBNET IPV6 TLS_CERTIFICATE TLS_CERTIFICATE_KEY TLS_PORT TLS_FOLDER ACME_FOLDER ANALYTICS_URL ' +
  'DATA_DIR NODE_EXTRA_CA_CERTS NODE_USE_ENV_PROXY HTTPS_PROXY HTTP_PROXY NO_PROXY POSTGRES_PASSWORD GRAFANA_PASSWORD GRAFANA_PORT';

const FILES = [...SECRETS, 'GRAFANA_PASSWORD'].map((name) => `${name}_FILE`);
const KNOWN = [...SETTING_NAMES, ...OTHERS.split(' '), ...FILES];

/** Maximum Levenshtein distance of a suggested name. Two swapped letters count as 2. */
const EDITS_MAX = 2;

/**
 * Checks an `.env`: names that no program reads, values that Docker Compose and Node.js parse differently, and a
 * DOMAIN that is not the host of SITE_URL.
 */
export function envFileFindings(text: string, { SITE_URL = '' }: NodeJS.ProcessEnv = {}): Finding[] {
  const lines = [...text.matchAll(/^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=[ \t]*(.*?)\s*$/gm)];
  const findings = lines.flatMap(([, about = '', value = '']) =>
    [...adviceOn(about, value)].map((advice) => ({ about, advice })),
  );
  const domain = lines.findLast(([, name]) => name === 'DOMAIN')?.[2]?.replace(/^(["'])(.*)\1$/, '$2');
  if (domain && URL.canParse(SITE_URL) && new URL(SITE_URL).hostname !== domain)
    findings.push({
      about: 'DOMAIN',
      advice: `is ${domain}, but SITE_URL is ${SITE_URL}. Write the same host into both`,
    });
  return lines.length > 0 && findings.length === 0 ? [{ about: '.env' }] : findings;
}

function* adviceOn(name: string, value: string): Generator<string> {
  if (!KNOWN.includes(name)) {
    const [near = ''] = KNOWN.toSorted((a, b) => leven(a, name) - leven(b, name));
    const isTypo = leven(near, name) <= EDITS_MAX;
    yield `no program reads this name in .env. ${isTypo ? `Do you mean ${near}?` : 'Remove it'}`;
  }
  const isLiteral = /^'[^']*'$/.test(value);
  if (!isLiteral && (value.startsWith('"') ? value.includes('$') : /[$#]/.test(value)))
    yield 'Docker Compose and Node.js read its $ or # differently. Put the value in single quotes';
}
