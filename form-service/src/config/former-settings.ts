import { dirname, resolve } from 'node:path';

type Values = Readonly<Record<string, string | undefined>>;

const API = 'Write API_URL=http://HOST:PORT instead';
const WORKER = 'Write WORKER_URL=http://HOST:PORT instead';
const SIGNATURE = 'Write SELECTOR._domainkey.DOMAIN as the first line of DKIM_PRIVATE_KEY, above the key, instead';

/** Remedies for settings of version 0.4 that the service read. */
const OF_SERVICE: Readonly<Record<string, string>> = {
  API_HOST: API,
  API_PORT: API,
  WORKER_HOST: WORKER,
  WORKER_PORT: WORKER,
  UPLOAD_DIR:
    'Remove it, and the files of interrupted uploads there: uploads wait next to the database file, or in TMPDIR',
  UPLOAD_BYTES_PER_HOUR: 'Remove it: for each submission of RATE_LIMIT_PER_MINUTE, 10 MiB of files are allowed an hour',
  DKIM_DOMAIN: SIGNATURE,
  DKIM_SELECTOR: SIGNATURE,
};

const AUTHORITIES = 'Write NODE_EXTRA_CA_CERTS instead, one file with the certificates of both';
const GRAFANA = 'Remove it, and run scripts/make-secrets. Grafana keeps the password that it has';

/** Remedies for other settings of 0.4, and of 0.3, that only `.env` had. They depend on the values whose effect would be lost. */
const OF_CONTAINERS: Readonly<Record<string, (values: Values) => string>> = {
  SMTP_CA_FILE: () => AUTHORITIES,
  REDIS_CA_FILE: () => AUTHORITIES,
  TLS_FOLDER: ({ TLS_FOLDER = '', TLS_CERTIFICATE = '', TLS_CERTIFICATE_KEY = '' }) =>
    [TLS_CERTIFICATE, TLS_CERTIFICATE_KEY].every((path) => dirname(path) === resolve(TLS_FOLDER))
      ? 'Remove it: containers see the folder of TLS_CERTIFICATE'
      : 'Remove it, and copy certificate and key into one folder, not as links: containers see only the folder of TLS_CERTIFICATE. See docs/deployment.md#tls',
  IPV6: ({ IPV6 }) =>
    IPV6 === 'false'
      ? 'Remove it'
      : 'Remove it, and write a Compose file, or all visitors with IPv6 share one rate limit: docs/deployment.md#tls',
  DOMAIN: (values) =>
    hostOf(`https://${values['DOMAIN']}`) === hostOf(values['SITE_URL'])
      ? 'Remove it: Caddy uses SITE_URL'
      : "Write the site's host into SITE_URL, which has another one and is what Caddy uses. Then remove it",
  REDIRECTED_DOMAIN: (values) =>
    withoutWww(hostOf(`https://${values['REDIRECTED_DOMAIN']}`)) === withoutWww(hostOf(values['SITE_URL']))
      ? 'Remove it: www. leads to SITE_URL, or the name without it if SITE_URL has www.'
      : 'Remove it, and add a block for it to CADDYFILE in docker-compose.yml: only www. leads to SITE_URL, or the name without it if SITE_URL has www.',
  POSTGRES_PASSWORD: () => 'Remove it, after scripts/make-secrets has written it into secrets/',
  GRAFANA_PASSWORD: () => GRAFANA,
  GRAFANA_PASSWORD_FILE: () => GRAFANA,
  GRAFANA_PORT: ({ GRAFANA_PORT }) =>
    GRAFANA_PORT === '3030'
      ? 'Remove it'
      : 'Remove it, and write a Compose file for another port than 3030: docs/deployment.md#prometheus-and-grafana',
};

/**
 * Returns the remedy for the name of a setting that version 0.4 had.
 *
 * @param values all values of `.env`
 */
export const formerAdvice = (name: string, values: Values): string | undefined =>
  OF_SERVICE[name] ?? OF_CONTAINERS[name]?.(values);

/** Returns the names of settings of version 0.4 that a process still gets and no longer reads. */
export const formerNamesIn = (environment: Values): string[] =>
  Object.keys(OF_SERVICE).filter((name) => environment[name]);

const hostOf = (url = '') => (URL.canParse(url) ? new URL(url).hostname : undefined);
const withoutWww = (host = '') => host.replace(/^www\./, '');
