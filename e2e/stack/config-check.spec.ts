import { expect, test } from '@playwright/test';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What `npm run config:check` says of these variables alone. */
function check(variables: Readonly<Record<string, string>>): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, ['scripts/config-check.mjs'], { cwd: root, encoding: 'utf8', env: { PATH: process.env.PATH, HOME: process.env.HOME, ...variables } });
}

test('every wrong variable is named once, with no value', () => {
  const wrong = { PORT: 'secret-port', SMTP_URL: 'http://secret', REDIS_URL: 'secret-host', RETENTION_DAYS: '0', CLAMD_URL_FILE: '/no/such/secret' };
  const { status, stdout, stderr } = check(wrong);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr.match(/^ {2}\w+/gm)).toEqual(['  PORT', '  CLAMD_URL_FILE', '  REDIS_URL', '  SMTP_URL', '  RETENTION_DAYS']);
  expect(stderr).not.toContain('secret');
});

test('nothing set is valid', () => {
  expect(check({})).toMatchObject({ status: 0, stdout: 'The settings are valid.\n', stderr: '' });
});
