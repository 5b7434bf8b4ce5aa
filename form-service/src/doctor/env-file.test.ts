import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { envFileFindings } from './env-file.ts';

/** Lines that doctor prints about an `.env`. */
const linesOf = (text: string, environment: NodeJS.ProcessEnv = {}) =>
  envFileFindings(text, environment).map(({ about, advice = 'ok' }) => `${about}: ${advice}`);

const FAULTS: readonly (readonly [what: string, text: string, line: RegExp])[] = [
  ['a removed setting of version 0.3', 'INSTANCE=web', /^INSTANCE: no program reads this name in \.env\. Remove it/],
  [
    'a name that is NODE_EXTRA_CA_CERTS now',
    'SMTP_CA_FILE=/ca.pem',
    /^SMTP_CA_FILE: is now NODE_EXTRA_CA_CERTS\. Move/,
  ],
  ['another one', 'REDIS_CA_FILE=/ca.pem', /^REDIS_CA_FILE: is now NODE_EXTRA_CA_CERTS\. Move/],
  ['a byte order mark', '\uFEFFPORT=8080\n', /^\.env: begins with a byte order mark/],
  ['Windows line ends', 'PORT=8080\r\nHOST=\r\n', /^\.env: has Windows line ends/],
  [
    'a name that is in it twice',
    "PORT=8080\nHOST=''\nexport PORT=8081",
    /^PORT: is in \.env twice, and the last one counts/,
  ],
  ['a quote that does not end', "COMPANY_NAME='Example Ltd\nPORT=8080", /^COMPANY_NAME: has an unclosed quote/],
  ['a quote that ends too early', "COMPANY_NAME='Ann's Ltd'", /^COMPANY_NAME: has an unclosed quote/],
  ['swapped letters', 'SMPT_URL=x', /^SMPT_URL: .*Do you mean SMTP_URL\?/],
  ['a missing letter', 'SALES_INBO=x', /^SALES_INBO: .*Do you mean SALES_INBOX\?/],
  ['a wrong letter', 'SALES_IMBOX=x', /^SALES_IMBOX: .*Do you mean SALES_INBOX\?/],
  [
    'a value that Docker Compose parses differently',
    'SMTP_URL=smtp://a:pa$wd@b',
    /^SMTP_URL: .*read its \$ or # differently.*single quotes/,
  ],
];

describe('.env', () => {
  it.each(FAULTS)('reports in one line > %s', (_what, text, line) => {
    expect(linesOf(text)).toEqual([expect.stringMatching(line)]);
  });

  it('compares names in Punycode > DOMAIN is internationalized', () => {
    const SITE_URL = 'https://bücher.test';
    for (const DOMAIN of ['bücher.test', 'xn--bcher-kva.test', 'BÜCHER.test'])
      expect(linesOf(`DOMAIN=${DOMAIN}`, { SITE_URL })).toEqual(['.env: ok']);
  });

  it('knows the variables of Docker Compose, and a value of several lines', () => {
    const text = `DOCKER_HOST=x\nCOMPOSE_PARALLEL_LIMIT=1\nDKIM_PRIVATE_KEY="-----BEGIN\nSMPT=\n-----END"\n`;
    expect(linesOf(text)).toEqual(['.env: ok']);
  });

  it('knows each name of .env.example', () => {
    const example = readFileSync('../.env.example', 'utf8');
    const names = [...example.matchAll(/^#(?!DOMAIN)(\w+)=/gm)].map(([, name]) => `${name}=x`);
    expect(names.length).toBeGreaterThan(20);
    expect(linesOf(names.join('\n'))).toEqual(['.env: ok']);
  });
});
