import { expect, test } from '@playwright/test';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { SECRETS } from '../../form-service/src/config/settings.ts';
import { makeCertificate } from '../support/certificate.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What `npm run config:check` says of these variables alone. */
function check(variables: Readonly<Record<string, string>>): {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
} {
  return spawnSync(process.execPath, ['scripts/run.mjs', 'scripts/stack/config-check.ts'], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...variables },
  });
}

test('every wrong variable is named once, with no value', () => {
  const wrong = {
    PORT: 'secret-port',
    SMTP_URL: 'http://secret',
    REDIS_URL: 'secret-host',
    RETENTION_DAYS: '0',
    CLAMD_URL_FILE: '/no/such/secret',
  };
  const { status, stdout, stderr } = check(wrong);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr.match(/^ {2}\w+/gm)).toEqual([
    '  PORT',
    '  CLAMD_URL_FILE',
    '  REDIS_URL',
    '  SMTP_URL',
    '  RETENTION_DAYS',
  ]);
  expect(stderr).not.toContain('secret');
});

test.describe('of the edge', () => {
  let folder: string;
  test.beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kitewright-config-'));
  });
  test.afterEach(() => rmSync(folder, { recursive: true }));

  for (const [sentence, variables] of [
    ['TRUSTED_PROXIES must be addresses or networks', { TRUSTED_PROXIES: '10.0.0.1,secret.example' }],
    ['TRUSTED_PROXIES must be addresses or networks', { TRUSTED_PROXIES: '0.0.0.0/0' }],
    ['TLS_CERTIFICATE names a file that cannot be read (ENOENT)', { TLS_CERTIFICATE: 'missing' }],
    ['TLS_CERTIFICATE must name a file with a certificate in PEM', { TLS_CERTIFICATE: 'key.pem' }],
    ['TLS_CERTIFICATE_KEY must be set, as TLS_CERTIFICATE is', { TLS_CERTIFICATE_KEY: '' }],
    ['TLS_CERTIFICATE_KEY is not the key of TLS_CERTIFICATE', { TLS_CERTIFICATE_KEY: 'other/key.pem' }],
    ['PORT must differ from TLS_PORT', { PORT: '8443' }],
    ['ANALYTICS_URL must be a URL', { ANALYTICS_URL: 'secret.example/script.js' }],
  ] as const) {
    test(`"${sentence}" is said of ${JSON.stringify(variables)}`, () => {
      makeCertificate(folder);
      makeCertificate(join(folder, 'other'));
      const inFolder = Object.entries({
        TLS_CERTIFICATE: 'certificate.pem',
        TLS_CERTIFICATE_KEY: 'key.pem',
        ...variables,
      });
      const { status, stderr } = check(
        Object.fromEntries(
          inFolder.map(([name, value]) => [name, name.startsWith('TLS_') && value ? join(folder, value) : value]),
        ),
      );
      expect(status).toBe(1);
      expect(stderr).toMatch(/^Wrong settings:\n.*\n$/);
      expect(stderr).toContain(sentence);
      expect(stderr).not.toContain('secret');
    });
  }

  test('a certificate with its key is valid', () => {
    const { certificate, key } = makeCertificate(folder);
    expect(
      check({
        TLS_CERTIFICATE: certificate,
        TLS_CERTIFICATE_KEY: key,
        TRUSTED_PROXIES: '10.1.0.0/16, fd00::/8 192.0.2.1',
      }),
    ).toMatchObject({ status: 0, stderr: '' });
  });
});

test('every secret can be a file for the containers that have it', () => {
  const { secrets, services } = parse(readFileSync(join(root, 'docker-compose.secrets.yml'), 'utf8'), {
    merge: true,
  }) as {
    secrets: Record<string, { file: string }>;
    services: Record<string, { secrets?: string[]; environment?: Record<string, string> }>;
  };
  const example = readFileSync(join(root, '.env.example'), 'utf8');
  for (const name of SECRETS) {
    const file = name.toLowerCase();
    expect(secrets[file]?.file).toBe(`\${${name}_FILE:-/dev/null}`);
    const readers = Object.values(services).filter((service) => service.secrets?.includes(file));
    expect(readers, name).not.toEqual([]);
    for (const { environment } of readers)
      expect(environment?.[`${name}_FILE`]).toBe(`\${${name}_FILE:+/run/secrets/${file}}`);
    expect(example).toMatch(new RegExp(`\\b${name}\\b`));
  }
});

test('nothing set is valid', () => {
  expect(check({})).toMatchObject({ status: 0, stdout: 'The settings are valid.\n', stderr: '' });
});
