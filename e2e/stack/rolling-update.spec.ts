import { expect, test } from '@playwright/test';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../harness/stack-process.ts';
import { prepareScript, runScript } from './script-run.ts';

/** Columns as in `fake-docker`. The api has two replicas. */
const CONTAINERS = [
  'nginx-1 nginx 10.0.0.9 newest newest 2020-01-01',
  'worker-1 worker 10.0.1.1,fd00::1:1 newest newest 2020-01-01',
  'api-1 api 10.0.2.1 newest newest 2020-01-01',
  'api-2 api 10.0.2.2 newest newest 2020-01-01',
];

let folder: string;

test.beforeEach(() => {
  folder = prepareScript('rolling-update');
  writeFileSync(join(folder, '.env'), 'COMPOSE_FILE=a.yml:b.yml\n');
  writeContainers(CONTAINERS);
});
test.afterEach(() => rmSync(folder, { recursive: true }));

const writeContainers = (lines: readonly string[]) =>
  writeFileSync(join(folder, 'containers'), lines.map((line) => `${line}\n`).join(''));
const update = (environment: Environment = {}) => runScript(folder, 'rolling-update', environment);

const nginx = (command: string) => `compose exec -T nginx kitewright-nginx ${command}`;
const up = (service: string, count: number) =>
  `compose up --detach --no-recreate --scale ${service}=${count} --wait --wait-timeout 300 ${service}`;

const WORKER = [
  nginx('use 10.0.1.1 fd00::1:1'),
  up('worker', 2),
  nginx('use 10.0.0.2 fd00::2'),
  nginx('follows'),
  'stop worker-1',
  'logs worker-1',
  'rm worker-1',
  nginx('use'),
];
const API = [
  nginx('use 10.0.2.1 10.0.2.2'),
  up('api', 4),
  nginx('use 10.0.0.3 fd00::3 10.0.0.4 fd00::4'),
  nginx('follows'),
  nginx('drained'),
  'stop api-1 api-2',
  'logs api-1',
  'logs api-2',
  'rm api-1 api-2',
  nginx('use'),
];
const PAGES = ['compose run --rm --no-deps site', nginx('use')];
const ALL = [...WORKER, ...API, ...PAGES];

test('rolling update > stops the old containers once nginx has left them, worker first', async () => {
  const { exitCode, stdout, stderr, calls } = await update();
  expect(calls).toEqual(ALL);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toBe('worker: 1 replaced\napi: 2 replaced\nThe pages are published; nginx serves them within 2 s.');
});

test('rolling update > waits > nginx does not follow at once, or has requests', async () => {
  for (const waited of ['follows', 'drained']) {
    writeContainers(CONTAINERS);
    rmSync(join(folder, 'calls'), { force: true });
    const at = ALL.lastIndexOf(nginx(waited));
    const { exitCode, calls } = await update({ FAILS_AT: String(at + 1) });
    expect([exitCode, calls]).toEqual([0, [...ALL.slice(0, at), nginx(waited), ...ALL.slice(at)]]);
  }
});

test('rolling update > keeps the logs of old containers for 30 days, for the operator', async () => {
  const logs = join(folder, 'logs');
  mkdirSync(logs);
  for (const [name, days] of [
    ['api-1.log', 32],
    ['api-2.log', 29],
    ['notes.txt', 32],
  ] as const) {
    writeFileSync(join(logs, name), '');
    const then = Date.now() / 1_000 - days * 86_400;
    utimesSync(join(logs, name), then, then);
  }
  await update();
  const [api = '', ...others] = readdirSync(logs).filter((name) => /^api-\d{4}/.test(name));
  expect(others).toEqual([]);
  expect(readFileSync(join(logs, api), 'utf8')).toBe('log of api-1\nlog of api-2\n');
  expect(statSync(join(logs, api)).mode & 0o777).toBe(0o600);
  expect(readdirSync(logs)).toEqual([api, 'api-2.log', 'notes.txt', api.replace('api', 'worker')].sort());
});

interface Failure {
  readonly what: string;
  /** Call that fails; the first one in the list if there are several. */
  readonly fails: string;
  readonly environment?: Environment;
  /** Calls after the failed one. */
  readonly after: readonly string[];
  readonly exitCode?: number;
  readonly says?: RegExp;
}

const NEW_API = ['stop api-3 api-4', 'logs api-3', 'logs api-4', 'rm api-3 api-4', nginx('use')];
const UNHEALTHY =
  /^The new api does not become healthy and was removed\. The previous one still serves\. The reason is at the end of logs\/api-\d{4}-\d\d-\d\d\.log\.$/m;

const FAILURES: readonly Failure[] = [
  { what: 'nginx cannot be limited to the old worker', fails: WORKER[0] ?? '', after: [nginx('use')] },
  { what: 'the new api is not healthy', fails: up('api', 4), after: NEW_API, says: UNHEALTHY },
  { what: 'nginx cannot be told of the new worker', fails: WORKER[2] ?? '', after: [nginx('use')] },
  {
    what: 'nginx never follows',
    fails: nginx('follows'),
    environment: { NGINX_FOLLOWS_WITHIN_S: '0' },
    after: [nginx('use')],
    says: /^nginx does not use the new worker\. See: docker compose logs nginx$/m,
  },
  {
    what: 'a request never ends',
    fails: nginx('drained'),
    environment: { REQUESTS_END_WITHIN_S: '0' },
    after: [...API.slice(5), ...PAGES],
    exitCode: 0,
    says: /^A request of a visitor takes too long and is aborted\.$/m,
  },
  { what: 'the old worker does not stop', fails: 'stop worker-1', after: [nginx('use')] },
  { what: 'a log cannot be read', fails: 'logs api-1', after: [...API.slice(7), ...PAGES], exitCode: 0 },
  { what: 'the old worker cannot be removed', fails: 'rm worker-1', after: [nginx('use')] },
  { what: 'the pages cannot be published', fails: PAGES[0] ?? '', after: [nginx('use')] },
];
for (const { what, fails, environment, after, exitCode = 1, says = /Docker says why\./ } of FAILURES)
  test(`rolling update > ends with all in use > ${what}`, async () => {
    const at = ALL.indexOf(fails);
    const result = await update({ ...environment, FAILS_AT: String(at + 1) });
    expect(result.calls).toEqual([...ALL.slice(0, at + 1), ...after]);
    expect(result.exitCode).toBe(exitCode);
    if (fails !== 'logs api-1') expect(result.stdout + result.stderr).toMatch(says);
  });

test('rolling update > removes nothing > no new container could be created', async () => {
  const at = ALL.indexOf(up('worker', 2)) + 1;
  const { exitCode, calls, stderr } = await update({ FAILS_AT: String(at), CREATES: 'nothing' });
  expect([exitCode, calls]).toEqual([1, [...ALL.slice(0, at), nginx('use')]]);
  expect(stderr).toContain('The new worker does not become healthy');
});

test('rolling update > names services with an older image, definition or file', async () => {
  const mounted = join(folder, 'monitoring/rules.yml');
  mkdirSync(join(folder, 'monitoring'));
  writeFileSync(mounted, '');
  writeContainers([
    ...CONTAINERS,
    `prometheus-1 prometheus 10.0.0.8 newest newest 2020-01-01 ${mounted}`,
    `grafana-1 grafana 10.0.0.8 newest newest 2200-01-01 ${mounted}`,
    'redis-1 redis 10.0.0.8 old newest 2020-01-01',
    'caddy-1 caddy 10.0.0.8 newest old 2020-01-01 /etc/caddy',
    'unknown-1 unknown 10.0.0.8 old old 2020-01-01',
  ]);
  const { exitCode, stdout } = await update();
  expect(exitCode).toBe(0);
  expect(stdout).toContain('older image, definition or file: caddy prometheus redis. Replace');
  expect(stdout).toMatch(/: docker compose up -d --force-recreate caddy prometheus redis$/);
});

interface Refusal {
  readonly what: string;
  readonly environment?: Environment;
  readonly running?: readonly string[];
  readonly says: string | RegExp;
}

const REFUSALS: readonly Refusal[] = [
  { what: 'Docker does not answer', environment: { DOCKER: 'off' }, says: '' },
  { what: 'nothing runs', running: [], says: 'nginx is not running. Start it: docker compose up -d' },
  {
    what: 'nginx does not run',
    running: CONTAINERS.slice(1),
    says: 'nginx is not running. Start it: docker compose up -d',
  },
  {
    what: 'nginx is of version 0.2',
    environment: { NGINX: 'old' },
    says: /^nginx runs an image of version 0\.2.*Nothing was/,
  },
  {
    what: 'other Compose files run',
    environment: { COMPOSE_FILE: 'a.yml:c.yml' },
    says: /running: .*\/a\.yml,.*\/b\.yml\n {2}\.env: .*\/a\.yml,.*\/c\.yml\nNothing was changed\./,
  },
];
for (const { what, environment, running = CONTAINERS, says } of REFUSALS)
  test(`rolling update > changes nothing > ${what}`, async () => {
    writeContainers(running);
    const { exitCode, calls, stderr } = await update(environment);
    expect([exitCode, calls]).toEqual([1, []]);
    if (typeof says === 'string') expect(stderr).toBe(says);
    else expect(stderr).toMatch(says);
  });

test('rolling update > replaces nothing > the worker does not run', async () => {
  writeContainers(CONTAINERS.filter((line) => !line.startsWith('worker')));
  const { exitCode, calls, stderr } = await update();
  expect([exitCode, calls]).toEqual([1, [nginx('use')]]);
  expect(stderr).toBe('worker is not running. Start it: docker compose up -d');
});

const SETTINGS = {
  plain: 'COMPOSE_FILE=a.yml:b.yml\n',
  'with Windows line ends': 'PORT=80\r\nCOMPOSE_FILE=a.yml:b.yml\r\n',
  'with a byte order mark': '\uFEFFCOMPOSE_FILE=a.yml:b.yml\n',
  'with export': 'export COMPOSE_FILE=a.yml:b.yml\n',
  'with a comment': 'COMPOSE_FILE=a.yml:b.yml # with B\n',
  'in double quotes': 'COMPOSE_FILE="a.yml:b.yml" # with B\r\n',
  'in single quotes': "COMPOSE_FILE='a.yml:b.yml'\n",
  'there twice': 'COMPOSE_FILE=c.yml\nCOMPOSE_FILE=a.yml:b.yml\n',
};
for (const [title, settings] of Object.entries(SETTINGS))
  test(`rolling update > accepts the Compose files in .env > ${title}`, async () => {
    writeFileSync(join(folder, '.env'), settings);
    // The script accepts the files, and rejects the version of nginx next.
    expect((await update({ NGINX: 'old' })).stderr).toContain('nginx runs an image of version 0.2');
  });
