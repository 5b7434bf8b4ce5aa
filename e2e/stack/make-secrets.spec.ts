import { expect, test } from '@playwright/test';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareScript, runScript } from './script-run.ts';

let folder: string;
test.beforeEach(() => {
  folder = prepareScript('make-secrets');
});
test.afterEach(() => rmSync(folder, { recursive: true }));

const make = (input = '', ...names: readonly string[]) => runScript(folder, 'make-secrets', {}, input, names);
const modeOf = (path: string) => statSync(join(folder, path)).mode & 0o777;
const secretsIn = () =>
  Object.fromEntries(
    readdirSync(join(folder, 'secrets')).map((name) => [name, readFileSync(join(folder, 'secrets', name), 'utf8')]),
  );

test('make-secrets > writes random secrets for containers, in a folder of the operator', async () => {
  expect(await make()).toMatchObject({ exitCode: 0, stderr: '' });
  const { postgres_password: password = '', ...others } = secretsIn();
  expect(password).toMatch(/^[0-9a-f]{48}$/);
  expect(others).toEqual({
    database_url: `postgres://kitewright:${password}@postgres:5432/kitewright`,
    grafana_password: expect.stringMatching(/^[0-9a-f]{48}$/),
  });
  expect(others['grafana_password']).not.toBe(password);
  expect(modeOf('secrets')).toBe(0o700);
  for (const name of Object.keys(secretsIn())) expect(modeOf(`secrets/${name}`), name).toBe(0o444);
});

test('make-secrets > changes nothing > the secrets exist', async () => {
  await make();
  const before = secretsIn();
  expect(await make()).toMatchObject({ exitCode: 0, stdout: '' });
  expect(secretsIn()).toEqual(before);
});

test('make-secrets > writes a URL with the same password > several run at once', async () => {
  for (let round = 0; round < 5; round += 1) {
    const runs = await Promise.all([make(), make(), make()]);
    expect(runs.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual([0, 0, 0].map((code) => [code, '']));
    const { postgres_password: password, database_url: url } = secretsIn();
    expect(url).toBe(`postgres://kitewright:${password}@postgres:5432/kitewright`);
    rmSync(join(folder, 'secrets'), { recursive: true });
  }
});

test('make-secrets > writes the URL of the password that exists > it was interrupted', async () => {
  await make();
  const before = secretsIn();
  rmSync(join(folder, 'secrets/database_url'));
  await make();
  expect(secretsIn()).toEqual(before);
});

for (const lines of [
  'POSTGRES_PASSWORD=abc-12.3',
  "export POSTGRES_PASSWORD='abc-12.3' # ours",
  '  export  POSTGRES_PASSWORD = "abc-12.3"\r',
  '\uFEFFPOSTGRES_PASSWORD=abc-12.3',
  'POSTGRES_PASSWORD=other\nPOSTGRES_PASSWORD=abc-12.3',
])
  test(`make-secrets > keeps the password of 0.4 > ${JSON.stringify(lines)}`, async () => {
    writeFileSync(join(folder, '.env'), `${lines}\nPORT=80\n`);
    await make();
    expect(secretsIn()).toMatchObject({
      postgres_password: 'abc-12.3',
      database_url: 'postgres://kitewright:abc-12.3@postgres:5432/kitewright',
    });
  });

for (const password of ['a$$b', '"a b"', 'a@b'])
  test(`make-secrets > refuses a password that differs in a URL > ${password}`, async () => {
    writeFileSync(join(folder, '.env'), `POSTGRES_PASSWORD=${password}\n`);
    const { exitCode, stderr } = await make();
    expect([exitCode, secretsIn()]).toEqual([1, {}]);
    expect(stderr).toContain('POSTGRES_PASSWORD');
  });

test('make-secrets > writes all lines > a secret with several', async () => {
  const lines = 'a._domainkey.firm.test\n-----BEGIN PRIVATE KEY-----\nx\\y\n-----END PRIVATE KEY-----';
  await make(`${lines}\n`, 'dkim_private_key');
  expect(secretsIn()).toEqual({ dkim_private_key: lines });
});

test('make-secrets > writes a secret that it asks for, and names its setting', async () => {
  const value = 'smtps://a:b$c#d"e@mail.example:465';
  const { exitCode, stdout } = await make(`${value}\n`, 'smtp_url');
  expect([exitCode, secretsIn()]).toEqual([0, { smtp_url: value }]);
  expect(stdout).toContain('In .env: SMTP_URL_FILE=./secrets/smtp_url');
  expect(stdout).not.toContain(value);
});

for (const [what, input, name] of [
  ['it is empty', '\n', 'smtp_url'],
  ['its name is a path', 'x\n', '../smtp_url'],
] as const)
  test(`make-secrets > writes nothing > ${what}`, async () => {
    expect((await make(input, name)).exitCode).toBeGreaterThan(0);
    expect(secretsIn()).toEqual({});
  });
