import { SECRETS, SETTING_NAMES } from '../config/settings.ts';
import type { Finding } from './doctor-checks.ts';

/** What stands in `.env` for others than the form service: Docker Compose, nginx, the build of the pages, `npm start`. */
const OTHERS =
  'COMPOSE_FILE COMPOSE_PROJECT_NAME COMPOSE_PROFILES IMAGE_PREFIX VERSION HOST PORT MAIL_UI_PORT TRUSTED_PROXIES HSTS_MAX_AGE ' +
  'DOMAIN REDIRECTED_DOMAIN CADDY_SUBNET IPV6 TLS_CERTIFICATE TLS_CERTIFICATE_KEY TLS_PORT TLS_FOLDER ACME_FOLDER ANALYTICS_URL ' +
  'DATA_DIR POSTGRES_PASSWORD GRAFANA_PASSWORD GRAFANA_PORT';

const FILES = [...SECRETS, 'GRAFANA_PASSWORD'].map((name) => `${name}_FILE`);
const KNOWN = [...SETTING_NAMES, ...OTHERS.split(' '), ...FILES];

/** Names in an `.env` that nobody reads, and values that Docker Compose reads as something else than Node.js. */
export function envFileFindings(text: string): Finding[] {
  const lines = [...text.matchAll(/^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=[ \t]*(.*?)\s*$/gm)];
  const findings = lines.flatMap(([, about = '', value = '']) =>
    [...adviceOn(about, value)].map((advice) => ({ about, advice })),
  );
  return lines.length > 0 && findings.length === 0 ? [{ about: '.env' }] : findings;
}

function* adviceOn(name: string, value: string): Generator<string> {
  if (!KNOWN.includes(name)) {
    const near = KNOWN.find((known) => distance(known, name) <= 1);
    yield `nobody reads this name in .env${near ? `; ${near} is meant?` : ': remove it'}`;
  }
  const isLiteral = /^'[^']*'$/.test(value);
  if (!isLiteral && (value.startsWith('"') ? value.includes('$') : /[$#]/.test(value)))
    yield 'its $ or # is read differently by Docker Compose and Node.js: put the value in single quotes';
}

/** How many letters two names do not share, wherever these stand: mixed-up letters are the usual mistake. */
function distance(one: string, other: string): number {
  const letters = new Set([...one, ...other]);
  const count = (text: string, letter: string) => text.split(letter).length;
  return [...letters].reduce((sum, letter) => sum + Math.abs(count(one, letter) - count(other, letter)), 0);
}
