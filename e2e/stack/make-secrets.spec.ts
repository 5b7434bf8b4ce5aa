import { expect, test } from '@playwright/test';
import { execa } from 'execa';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { root } from '../harness/stack-process.ts';

let folder: string;
test.beforeEach(() => {
  folder = makeTemporaryFolder();
  mkdirSync(join(folder, 'scripts'));
  copyFileSync(join(root, 'scripts/make-secrets'), join(folder, 'scripts/make-secrets'));
});
test.afterEach(() => rmSync(folder, { recursive: true }));

const make = () => execa(join(folder, 'scripts/make-secrets'), { reject: false });
const modeOf = (path: string) => statSync(join(folder, path)).mode & 0o777;
const secrets = () =>
  Object.fromEntries(
    readdirSync(join(folder, 'secrets')).map((name) => [name, readFileSync(join(folder, 'secrets', name), 'utf8')]),
  );

test('make-secrets > writes a random password and its URL, and keeps both', async () => {
  expect(await make()).toMatchObject({ exitCode: 0, stderr: '' });
  const { postgres_password: password = '', database_url: url } = secrets();
  expect(password).toMatch(/^[0-9a-f]{48}$/);
  expect(url).toBe(`postgres://kitewright:${password}@postgres:5432/kitewright`);
  expect(['secrets', 'secrets/postgres_password', 'secrets/database_url'].map(modeOf)).toEqual([0o700, 0o444, 0o444]);
  expect(await make()).toMatchObject({ exitCode: 0, stdout: '' });
  expect(secrets()).toEqual({ postgres_password: password, database_url: url });
});
