import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { envFileFindings } from './env-file.ts';
import { sentences } from './finding.ts';

const SITE = { SITE_URL: 'https://www.acme.test' };
const linesOf = (text: string, environment: NodeJS.ProcessEnv = SITE) =>
  envFileFindings(text, environment).map(
    ({ about, cause = 'ok', advice = '' }) => `${about}: ${sentences(cause, advice)}`,
  );

const UNCLOSED = /^COMPANY_NAME: has an unclosed quote/;
const LITERAL = /^SMTP_URL: Docker Compose and Node\.js read its \$ or # differently.*single quotes/;
const REMOVED = 'no program reads this name in .env. Remove it';

describe('envFileFindings', () => {
  it('recommends a host of its own for the inbox > an analytics script runs on the site', () => {
    const [INBOX_USERS, INBOX_URL, ANALYTICS_URL] = ['x', 'https://inbox.acme.test', 'https://stats.example/a.js'];
    const line = `ANALYTICS_URL="${ANALYTICS_URL}"`;
    const advice = expect.stringMatching(
      /^ANALYTICS_URL: ok\. its script shares the host with the inbox.*Set INBOX_URL/,
    );
    expect(linesOf(line, { ...SITE, INBOX_USERS })).toEqual(['.env: ok', advice]);
    expect(linesOf('', { ...SITE, INBOX_USERS, ANALYTICS_URL })).toEqual([advice]);
    for (const environment of [{}, { INBOX_URL, INBOX_USERS }])
      expect(linesOf(line, environment)).toEqual(['.env: ok']);
    expect(linesOf('ANALYTICS_URL=', { INBOX_USERS })).toEqual(['.env: ok']);
  });

  it.each([
    ['SMPT_URL=x', 'SMPT_URL: no program reads this name in .env. Do you mean SMTP_URL?'],
    ['SALES_INBO=x', 'SALES_INBO: no program reads this name in .env. Do you mean SALES_INBOX?'],
    ['SALES_IMBOX=x', 'SALES_IMBOX: no program reads this name in .env. Do you mean SALES_INBOX?'],
    ['SALES_IMBAX=x', 'SALES_IMBAX: no program reads this name in .env. Do you mean SALES_INBOX?'],
    ['SALAS_IMBAX=x', `SALAS_IMBAX: ${REMOVED}`],
    ['INSTANCE=web', `INSTANCE: ${REMOVED}`],
    ['\uFEFFPORT=8080\n', /^\.env: begins with a byte order mark/],
    ['PORT=8080\r\nHOST=\r\n', /^\.env: has Windows line ends/],
    ["PORT=8080\nHOST=''\nexport PORT=8081", /^PORT: is in \.env twice, and the last one counts/],
    ["COMPANY_NAME='Example Ltd\nPORT=8080", UNCLOSED],
    ['COMPANY_NAME="Example Ltd\nPORT=8080', UNCLOSED],
    ["COMPANY_NAME='Ann's Ltd'", UNCLOSED],
    ['COMPANY_NAME="Ann"s Ltd"', UNCLOSED],
    ['SMTP_URL=smtp://a:pa$wd@b', LITERAL],
    ['SMTP_URL=smtp://a:pa#wd@b', LITERAL],
    ['SMTP_URL="smtp://a:pa$wd@b"', LITERAL],
  ])('%j', (text, finding) => {
    expect(linesOf(text)).toEqual([finding instanceof RegExp ? expect.stringMatching(finding) : finding]);
  });

  it.each([
    ['', []],
    ['# PORT=8080', []],
    ['PORT=8080', ['.env: ok']],
    ["SMTP_URL='smtp://a:b$c#d@e'\nVERSION=1.2.3\n", ['.env: ok']],
    ['COMPANY_NAME="a # b" # the name', ['.env: ok']],
    [`COMPANY_NAME='Ann & Sons' # the name`, ['.env: ok']],
    ['COMPANY_NAME="Ann \\"A\\" Ltd"', ['.env: ok']],
    ['SMTP_URL_FILE=/run/secrets/smtp\nCLAMD_URL_FILE=/x', ['.env: ok']],
    ['DOCKER_HOST=x\nCOMPOSE_PARALLEL_LIMIT=1', ['.env: ok']],
    ['DKIM_PRIVATE_KEY="-----BEGIN\nSMPT=\n-----END"\n', ['.env: ok']],
  ])('accepts %j', (text, findings) => {
    expect(linesOf(text)).toEqual(findings);
  });

  const TLS = 'TLS_CERTIFICATE=/tls/a\nTLS_CERTIFICATE_KEY=/tls/b\n';
  it.each([
    ['COMPOSE_PROFILES=monitoring,caddy\nHOST=', /^HOST: lets visitors reach nginx by plain HTTP/],
    ['COMPOSE_PROFILES=caddy\nHOST="0.0.0.0"', /^HOST: lets visitors/],
    ['COMPOSE_PROFILES=caddy\nSITE_URL=', /^SITE_URL: is not set, and Caddy does not start.*https/],
    [`COMPOSE_FILE=docker-compose.yml\n${TLS}`, /^TLS_PORT: is not set.*such as 443/],
    [
      'COMPOSE_FILE=a.yml\nTLS_PORT=443\nTLS_CERTIFICATE=/tls/a\nTLS_CERTIFICATE_KEY=/keys/b',
      /^TLS_CERTIFICATE_KEY: is not in the folder/,
    ],
  ])('reports settings of the containers that contradict each other > %j', (text, finding) => {
    expect(linesOf(text)).toEqual([expect.stringMatching(finding)]);
  });

  it.each([
    'COMPOSE_PROFILES=caddy\nHOST=127.0.0.1',
    'COMPOSE_PROFILES=caddy\nHOST=::1',
    'COMPOSE_PROFILES=caddy',
    'COMPOSE_FILE=docker-compose.yml\nHOST=',
    'COMPOSE_FILE=my-docker-compose.caddy.yml.yml',
    `COMPOSE_FILE=docker-compose.yml\nTLS_PORT=443\n${TLS}`,
    TLS,
  ])('accepts settings of the containers > %j', (text) => expect(linesOf(text)).toEqual(['.env: ok']));

  it('knows each name of .env.example', () => {
    const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
    const names = [...example.matchAll(/^#(\w+)=/gm)].map(([, name]) => `${name}=x`);
    expect(names.length).toBeGreaterThan(20);
    expect(linesOf(names.join('\n'))).toEqual(['.env: ok']);
  });
});
