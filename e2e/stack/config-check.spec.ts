import { expect, test } from '@playwright/test';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { SECRETS, SETTING_NAMES } from '../../form-service/src/settings/settings.ts';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { settingsMistakes } from '../../scripts/stack/settings.ts';
import { SERVICE } from '../../form-service/test/services.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

function check(env: Readonly<Record<string, string>>, cwd = root) {
  const args = [join(root, 'scripts/stack/config-check.ts')];
  return spawnSync(process.execPath, args, { cwd, encoding: 'utf8', env: { PATH: process.env.PATH, ...env } });
}

test('config:check > warns about values of .env.example', () => {
  const { status, stdout, stderr } = check({ HR_INBOX: 'hr@firm.net' });
  expect([status, stdout]).toEqual([0, 'The settings are valid.\n']);
  const names = ['  SMTP_URL', '  SALES_INBOX', '  MAIL_FROM'];
  expect(stderr.match(/^Before production:$|^ {2}\w+/gm)).toEqual(['Before production:', ...names]);
});

test('config:check > rejects names in .env that no program reads', () => {
  const folder = makeTemporaryFolder();
  writeFileSync(join(folder, '.env'), 'SALESINBOX=secret@firm.net\nDOMAIN=secret.net\nSALES_INBOX=sales@firm.net\n');
  const { status, stdout, stderr } = check({}, folder);
  rmSync(folder, { recursive: true });
  expect([status, stdout]).toEqual([1, '']);
  for (const name of ['SALESINBOX', 'DOMAIN'])
    expect(stderr).toContain(`  ${name}: no program reads this name in .env\n`);
  expect(stderr).not.toContain('secret');
});

test('config:check > rejects a recipient for a topic that no form has', () => {
  const RECIPIENTS = `${SERVICE} = sap@secret.net; No Such = b@secret.net`;
  const { status, stderr } = check({ CONTENT: process.env.CONTENT ?? '', RECIPIENTS });
  expect([status, stderr.match(/"[^"]*"/g)]).toEqual([1, ['"No Such"']]);
  expect(stderr).not.toContain('secret');
  expect(settingsMistakes({ RECIPIENTS }), 'npm start accepts it').toEqual([]);
});

test.describe('settings of nginx', () => {
  for (const [sentence, variables] of [
    ['TRUSTED_PROXIES must be "host", or addresses or networks', { TRUSTED_PROXIES: '10.0.0.1,secret.example' }],
    ['TRUSTED_PROXIES must be "host", or addresses or networks', { TRUSTED_PROXIES: '0.0.0.0/0' }],
    ['TLS_CERTIFICATE_KEY must be set, as TLS_CERTIFICATE is', { TLS_CERTIFICATE_KEY: '' }],
    ['PORT must differ from TLS_PORT', { PORT: '8443' }],
    ['ANALYTICS_URL must be a URL', { ANALYTICS_URL: 'secret.example/script.js' }],
    [undefined, { TRUSTED_PROXIES: '10.1.0.0/16, fd00::/8 192.0.2.1' }],
  ] as const) {
    test(`${sentence ? `report "${sentence}"` : 'are valid'} > ${JSON.stringify(variables)}`, () => {
      const files = { TLS_CERTIFICATE: 'certificate.pem', TLS_CERTIFICATE_KEY: 'key.pem' };
      const mistakes = settingsMistakes({ ...files, ...variables });
      expect(mistakes).toEqual(sentence === undefined ? [] : [expect.stringContaining(sentence)]);
      expect(mistakes.join()).not.toContain('secret');
    });
  }
});

test('docker-compose.yml > provides every secret as a file', () => {
  const { secrets, services } = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
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

test('docker-compose.yml > passes every setting to the service', () => {
  const { services } = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
    services: Record<string, { environment?: object }>;
  };
  const passedOn = new Set(['api', 'worker'].flatMap((name) => Object.keys(services[name]?.environment ?? {})));
  // Set by the image and by Docker.
  const inside = new Set(['API_URL', 'WORKER_URL']);
  expect(SETTING_NAMES.filter((name) => !inside.has(name) && !passedOn.has(name))).toEqual([]);
  // Node.js reads these. Only the worker has a way out.
  const proxy = { NODE_USE_ENV_PROXY: null, HTTPS_PROXY: null, HTTP_PROXY: null, NO_PROXY: null };
  expect(services['worker']?.environment).toMatchObject(proxy);
});

test('containers > get no address of a company without settings', () => {
  for (const file of globSync(['docker-compose*.yml', '*/Dockerfile', 'kubernetes/**/*.env'], { cwd: root }))
    expect(readFileSync(join(root, file), 'utf8').replaceAll(/#.*/g, ''), file).not.toMatch(/\w\.example\b/);
});

test('settings > are valid > all are unset', () => expect(settingsMistakes({})).toEqual([]));
