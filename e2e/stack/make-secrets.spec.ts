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

const make = (...args: readonly string[]) => execa(join(folder, 'scripts/make-secrets'), args, { reject: false });
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

test('make-secrets > writes the URL of the password that exists > it was interrupted', async () => {
  await make();
  const before = secrets();
  rmSync(join(folder, 'secrets/database_url'));
  await make();
  expect(secrets()).toEqual(before);
});

test('make-secrets > says what it does, and writes nothing > an argument', async () => {
  expect(await make('--help')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('secrets of PostgreSQL') });
  expect(readdirSync(folder)).toEqual(['scripts']);
});
