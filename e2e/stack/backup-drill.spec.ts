import { expect, test } from '@playwright/test';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, type Environment } from '../harness/stack-process.ts';
import { prepareScript, runScript } from './script-run.ts';

const DOWN = 'compose down --volumes --timeout 5';
const RUN = 'compose run --rm -T --no-deps worker submissions';
const [RESTORE, LIST] = [`${RUN} restore`, `${RUN} list --state all`];
/** A former drill that was killed leaves a deployment, so the first call removes it. */
const ALL = [DOWN, RESTORE, LIST, DOWN];

const SUBMISSIONS = `reference form state
one contact delivered
two application failed
three contact delivered
`;

let folder: string;

test.beforeEach(() => {
  folder = prepareScript('backup-drill');
  copyFileSync(join(root, 'docker-compose.yml'), join(folder, 'docker-compose.yml'));
  writeFileSync(join(folder, 'list'), SUBMISSIONS);
});
test.afterEach(() => rmSync(folder, { recursive: true }));

const drill = (environment: Environment = {}) => runScript(folder, 'backup-drill', environment, 'archive\nrest');
const fileOf = (name: string) => readFileSync(join(folder, name), 'utf8');

test('backup drill > restores the archive, counts by state and removes all', async () => {
  const { exitCode, stdout, stderr, calls } = await drill();
  expect(calls).toEqual(ALL);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout.split('\n').sort()).toEqual([
    '1 failed',
    '2 delivered',
    expect.stringMatching(/^Restored in \d+ s\.$/),
  ]);
  expect([fileOf('restored'), fileOf('piped')]).toEqual(['archive\n', '']);
});

test('backup drill > says that an archive is empty', async () => {
  writeFileSync(join(folder, 'list'), 'reference form state\n');
  expect((await drill()).stdout).toMatch(/^0 submissions\nRestored in/);
});

test('backup drill > uses nothing of the installation > all is set', async () => {
  const secrets = ['DATABASE_URL_FILE', 'SMTP_URL_FILE', 'AWS_SESSION_TOKEN_FILE'];
  await drill({
    COMPOSE_PROJECT_NAME: 'firm',
    COMPOSE_FILE: 'docker-compose.yml:docker-compose.postgres.yml',
    DATABASE_URL: 'postgres://db',
    RESUMES_URL: 's3://bucket',
    NODE_EXTRA_CA_CERTS: '/authority.pem',
    CADDY_SUBNET: '198.18.255.240/28',
    ...Object.fromEntries(secrets.map((name) => [name, './secrets/file'])),
  });
  expect(fileOf('environment').split('\n')).toEqual(
    expect.arrayContaining([
      'COMPOSE_PROJECT_NAME=firm-drill',
      'COMPOSE_FILE=docker-compose.yml',
      'DATABASE_URL=file:/var/lib/kitewright/submissions.db',
      'RESUMES_URL=file:/var/lib/kitewright/resumes',
      'NODE_EXTRA_CA_CERTS=',
      'CADDY_SUBNET=198.19.255.240/28',
      ...secrets.map((name) => `${name}=`),
    ]),
  );
});

test('backup drill > has a project of its own > none is set', async () => {
  await drill();
  expect(fileOf('environment')).toContain('COMPOSE_PROJECT_NAME=kitewright-drill\n');
});

const REMOVE =
  'The temporary deployment could not be removed. It may hold submissions. Remove it: docker compose -p kitewright-drill down --volumes';

for (const [what, failsAt, calls, says] of [
  ['the former drill cannot be removed', 1, [DOWN, DOWN], ['Docker says why.', REMOVE]],
  ['the archive cannot be restored', 2, [DOWN, RESTORE, DOWN], ['Docker says why.']],
  ['the submissions cannot be read', 3, ALL, ['Docker says why.']],
] as const)
  test(`backup drill > fails without a count, and removes all > ${what}`, async () => {
    const result = await drill({ FAILS_AT: String(failsAt) });
    expect(result).toEqual({ exitCode: 1, stdout: '', stderr: says.join('\n'), calls });
  });

test('backup drill > fails > the restored submissions cannot be removed', async () => {
  const { exitCode, stderr, calls } = await drill({ FAILS_AT: '4' });
  expect([exitCode, stderr, calls]).toEqual([1, `Docker says why.\n${REMOVE}`, ALL]);
});
