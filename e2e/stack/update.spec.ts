import { expect, test } from '@playwright/test';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../harness/stack-process.ts';
import { prepareScript, runScript } from './script-run.ts';

/** Columns as in `fake-docker`. The api has two replicas. */
const CONTAINERS = [
  'nginx-1 nginx 10.0.0.9 newest newest',
  'worker-1 worker 10.0.1.1,fd00::1:1 old newest',
  'api-1 api 10.0.2.1 newest old',
  'api-2 api 10.0.2.2 newest newest',
];
const CURRENT = CONTAINERS.map((line) => line.replaceAll(/\bold\b/g, 'newest'));

/** Files that api and worker read at their start. */
const CONTENT = ['wording', 'company', 'brand'].map((name) => `frontend/content/${name}.yaml`);

let folder: string;

test.beforeEach(() => {
  folder = prepareScript('update');
  writeFileSync(join(folder, '.env'), 'COMPOSE_FILE=a.yml:b.yml\n');
  for (const file of ['a.yml', 'b.yml', 'c.yml']) writeFileSync(join(folder, file), '');
  mkdirSync(join(folder, 'frontend/content'), { recursive: true });
  for (const file of CONTENT) writeFileSync(join(folder, file), 'name: Firm\n');
  writeContainers(CONTAINERS);
});
test.afterEach(() => rmSync(folder, { recursive: true }));

/** Writes containers that have just started. */
function writeContainers(lines: readonly string[]): void {
  writeFileSync(join(folder, 'containers'), lines.map((line) => `${line}\n`).join(''));
  // A file has the time of the kernel's last tick, with nanoseconds.
  writeFileSync(join(folder, 'started'), new Date(Date.now() + 1).toISOString());
}
/** More than a tick of the kernel's clock. */
const TICK_MS = 20;

const update = (environment: Environment = {}, ...options: readonly string[]) =>
  runScript(folder, 'update', environment, '', options);
const writeFile = (name: string, text: string) => writeFileSync(join(folder, name), text);

const nginx = (command: string) => `compose exec -T nginx kitewright-nginx ${command}`;
const up = (service: string, count: number) =>
  `compose up --detach --no-recreate --scale ${service}=${count} --wait --wait-timeout 300 ${service}`;

const IMAGES = ['compose pull --ignore-buildable', 'compose build --pull'];
const BACKUP = 'compose exec -T worker submissions backup';
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
const ALL = [...IMAGES, BACKUP, ...WORKER, ...API, ...PAGES];
/** Lets the names of images lead back to what runs. */
const BACK = [nginx('use'), 'tag old image-of-worker', 'tag old image-of-site'];

test('update > stops the old containers once nginx has left them, worker first', async () => {
  const { exitCode, stdout, stderr, calls } = await update();
  expect(calls).toEqual(ALL);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout.slice(stdout.indexOf('Changed'))).toBe(
    'Changed: api worker\nworker: 1 replaced\napi: 2 replaced\nThe pages are published; nginx serves them within 2 s.\nEverything is up to date.',
  );
  expect(readFileSync(join(folder, 'before-update.tar'), 'utf8')).toBe('archive\n');
});

test('update > removes stopped containers first, because Compose would start them again', async () => {
  writeFile('stopped-api', 'api-9\n');
  const { exitCode, calls } = await update();
  const removed = ['stop api-9', 'logs api-9', 'rm api-9'];
  expect([exitCode, calls]).toEqual([0, [...IMAGES, BACKUP, ...WORKER, API[0], ...removed, ...API.slice(1), ...PAGES]]);
});

test('update > says what it will do before it does it, and --plan does nothing', async () => {
  const { exitCode, stdout, calls } = await update({}, '--plan');
  expect([exitCode, calls]).toEqual([0, []]);
  for (const words of ['get the images', 'check the settings', 'before-update.tar', 'worker and api', 'doctor'])
    expect(stdout).toContain(words);
  const { stdout: said } = await update({ FAILS_AT: '1' });
  expect(said).toBe(stdout);
});

test('update > publishes the pages and replaces nothing > nothing has changed', async () => {
  writeContainers(CURRENT);
  const { exitCode, stdout, calls } = await update();
  expect([exitCode, calls]).toEqual([0, [...IMAGES, ...PAGES]]);
  expect(stdout).toContain('Changed: nothing\n');
});

test('update > replaces nothing > an image was only built again', async () => {
  writeContainers(CONTAINERS.map((line) => line.replace(/old newest$/, 'twin newest').replace(/old$/, 'newest')));
  const { stdout, calls } = await update();
  expect(calls).toEqual([...IMAGES, 'tag twin image-of-worker', ...PAGES]);
  expect(stdout).toContain('Changed: nothing\n');
});

test('update > replaces worker and api > --restart, and nothing has changed', async () => {
  writeContainers(CURRENT);
  expect((await update({}, '--restart')).calls).toEqual(ALL);
});

for (const file of CONTENT)
  test(`update > replaces worker and api > one byte of ${file} has changed`, async () => {
    writeContainers(CURRENT);
    await pause(TICK_MS);
    expect((await update()).calls).toEqual([...IMAGES, ...PAGES]);
    rmSync(join(folder, 'calls'));
    writeFile(file, 'name: Form\n');
    // Such as a copy that keeps the time of the original.
    utimesSync(join(folder, file), 0, 0);
    expect((await update()).calls).toEqual(ALL);
  });

for (const [what, environment, images] of [
  ['are there already', { PULL_POLICY: 'never' }, []],
  [
    'come from a registry',
    { IMAGE_PREFIX: 'registry.example/acme' },
    [IMAGES[0], 'compose pull --policy always nginx api worker', 'compose build --pull prometheus site'],
  ],
] as const)
  test(`update > gets what is needed > images ${what}`, async () => {
    writeContainers([...CONTAINERS, 'prometheus-1 prometheus 10.0.0.8 newest newest']);
    expect((await update(environment)).calls).toEqual([...images, ...ALL.slice(IMAGES.length)]);
  });

test('update > replaces nothing > the new version finds a fault that the running one does not', async () => {
  writeFile('doctor-running', 'ok    disk\nFIX   backup: old\n');
  writeFile('doctor-new', 'FIX   backup: old\nFIX   SMTP_URL: does not offer STARTTLS\n');
  const { exitCode, stderr, calls } = await update();
  expect([exitCode, calls]).toEqual([1, [...IMAGES, ...BACK]]);
  expect(stderr).toMatch(/^FIX {3}SMTP_URL: does not offer STARTTLS\nThe new version finds this.*Nothing was replaced/);
});

test('update > replaces nothing > a doctor does not run', async () => {
  for (const [file, command] of [
    ['doctor-running', 'exec -T'],
    ['doctor-new', 'run --rm -T --no-deps'],
  ] as const) {
    rmSync(join(folder, 'calls'), { force: true });
    writeFile(file, 'Error: why\n');
    const { exitCode, stderr, calls } = await update();
    expect([exitCode, calls]).toEqual([1, [...IMAGES, ...BACK]]);
    expect(stderr).toBe(
      `Error: why\nNumber of faults\nsubmissions doctor does not run: docker compose ${command} worker submissions doctor`,
    );
    writeFile(file, 'ok    settings\n');
  }
});

test('update > keeps the archive of a failed update > it has changed the tables', async () => {
  const at = String(ALL.indexOf(BACKUP) + 1);
  const SAYS = 'DATABASE_URL names a database that a newer version of this service has changed';
  const { exitCode, stderr, calls } = await update({ FAILS_AT: at, SAYS });
  expect([exitCode, calls]).toEqual([1, [...IMAGES, BACKUP, ...BACK]]);
  expect(stderr).toContain('Nothing was replaced');
  rmSync(join(folder, 'calls'));
  writeFile('before-update.tar', 'archive of before');
  expect(await update({ FAILS_AT: at, SAYS })).toMatchObject({ exitCode: 0, calls: ALL });
  expect(readFileSync(join(folder, 'before-update.tar'), 'utf8')).toBe('archive of before');
  expect(readdirSync(folder)).not.toContain('new.tar');
});

test('update > keeps the archive of a failed update > it has replaced the worker', async () => {
  await update({ FAILS_AT: String(ALL.indexOf(up('api', 4)) + 1) });
  const archive = () => readFileSync(join(folder, 'before-update.tar'), 'utf8');
  writeFile('before-update.tar', 'archive of before');
  for (const isKept of [true, false]) {
    writeContainers(CONTAINERS.map((line) => line.replace('1 old', '1 newer')));
    const { exitCode, calls } = await update();
    expect([exitCode, archive()]).toEqual([0, isKept ? 'archive of before' : 'archive\n']);
    expect(calls.filter((call) => call === BACKUP)).toHaveLength(isKept ? 1 : 2);
  }
});

for (const [how, doctor, option] of [
  ['with --later', 'ok    api', '--later'],
  ['with a new fault', 'FIX   api: late', ''],
] as const)
  test(`update > writes a new archive > the last update has ended ${how}`, async () => {
    writeFile('doctor-updated', `${doctor}\n`);
    await update({}, option);
    for (const file of ['calls', 'doctor-updated']) rmSync(join(folder, file));
    writeFile('before-update.tar', 'archive of last year');
    writeContainers(CONTAINERS.map((line) => line.replace('1 old', '1 newer')));
    const { exitCode, calls } = await update();
    expect([exitCode, calls]).toEqual([0, ALL]);
    expect(readFileSync(join(folder, 'before-update.tar'), 'utf8')).toBe('archive\n');
  });

test('update > starts as many as are defined > an earlier one has left old and new ones', async () => {
  writeContainers([...CONTAINERS, 'worker-2 worker 10.0.1.2 newest newest', 'api-3 api 10.0.2.3 newest newest']);
  const { exitCode, calls } = await update();
  expect(exitCode).toBe(0);
  expect(calls.filter((call) => call.includes(' up '))).toEqual([up('worker', 3), up('api', 5)]);
  const lines = readFileSync(join(folder, 'containers'), 'utf8').trim().split('\n');
  expect(lines.map((line) => line.split(' ')[0])).toEqual(['nginx-1', 'worker-3', 'api-4', 'api-5']);
});

test('update > refuses to run > another one runs in this folder', async () => {
  const first = update({ WAITS_AT: '1' });
  await expect.poll(() => readdirSync(folder)).toContain('calls');
  const second = await update();
  writeFile('goes-on', '');
  expect(second).toMatchObject({ exitCode: 1, stderr: 'Another update runs in this folder. Wait until it has ended.' });
  expect((await first).calls).toEqual(ALL);
});

test('update > names a fault that is new after it, and the way back', async () => {
  writeFile('doctor-running', 'FIX   backup: old\n');
  writeFile('doctor-new', 'FIX   backup: the same fault in other words\n');
  writeFile('doctor-updated', 'FIX   backup: old\nFIX   api: late\n');
  const { exitCode, stderr, calls } = await update();
  expect([exitCode, calls]).toEqual([1, ALL]);
  expect(stderr).toMatch(/^FIX {3}api: late\n.*docs\/operations\.md#go-back-to-the-version-before$/);
});

test('update > waits > nginx does not follow at once, or has requests', async () => {
  for (const waited of ['follows', 'drained']) {
    writeContainers(CONTAINERS);
    rmSync(join(folder, 'calls'), { force: true });
    const at = ALL.lastIndexOf(nginx(waited));
    const { exitCode, calls } = await update({ FAILS_AT: String(at + 1) });
    expect([exitCode, calls]).toEqual([0, [...ALL.slice(0, at), nginx(waited), ...ALL.slice(at)]]);
  }
});

test('update > keeps the logs of old containers for 30 days, for the operator', async () => {
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
const NO_IMAGES = /Docker says why\.\nThe images could not be pulled or built\. Nothing was replaced\.$/;

const FAILURES: readonly Failure[] = [
  { what: 'no image can be pulled', fails: IMAGES[0] ?? '', after: BACK.slice(0, -1), says: NO_IMAGES },
  { what: 'an image cannot be built', fails: IMAGES[1] ?? '', after: BACK, says: NO_IMAGES },
  { what: 'the archive cannot be written', fails: BACKUP, after: BACK, says: /Nothing was replaced/ },
  { what: 'nginx cannot be limited to the old worker', fails: WORKER[0] ?? '', after: BACK },
  { what: 'the new api is not healthy', fails: up('api', 4), after: NEW_API, says: UNHEALTHY },
  { what: 'nginx cannot be told of the new worker', fails: WORKER[2] ?? '', after: BACK },
  {
    what: 'nginx never follows',
    fails: nginx('follows'),
    environment: { NGINX_FOLLOWS_WITHIN_S: '0' },
    after: BACK,
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
  { what: 'the old worker does not stop', fails: 'stop worker-1', after: BACK },
  { what: 'a log cannot be read', fails: 'logs api-1', after: [...API.slice(7), ...PAGES], exitCode: 0 },
  { what: 'the old worker cannot be removed', fails: 'rm worker-1', after: BACK },
  {
    what: 'the pages cannot be published',
    fails: PAGES[0] ?? '',
    after: [nginx('use')],
    says: /^The pages could not be published, so the previous ones stay\./m,
  },
];
for (const { what, fails, environment, after, exitCode = 1, says = /Docker says why\./ } of FAILURES)
  test(`update > ends with all in use > ${what}`, async () => {
    const at = ALL.indexOf(fails);
    const result = await update({ ...environment, FAILS_AT: String(at + 1) });
    expect(result.calls).toEqual([...ALL.slice(0, at + 1), ...after]);
    expect(result.exitCode).toBe(exitCode);
    if (fails !== 'logs api-1') expect(result.stdout + result.stderr).toMatch(says);
  });

test('update > removes nothing > no new container could be created', async () => {
  const at = ALL.indexOf(up('worker', 2)) + 1;
  const { exitCode, calls, stderr } = await update({ FAILS_AT: String(at), CREATES: 'nothing' });
  expect([exitCode, calls]).toEqual([1, [...ALL.slice(0, at), ...BACK]]);
  expect(stderr).toContain('The new worker does not become healthy');
});

const OTHERS = [
  ...CURRENT,
  'prometheus-1 prometheus 10.0.0.8 old newest',
  'grafana-1 grafana 10.0.0.8 newest newest',
  'redis-1 redis 10.0.0.8 old newest',
  'caddy-1 caddy 10.0.0.8 newest old',
  'unknown-1 unknown 10.0.0.8 old old',
];
const alone = (service: string) => `compose up --detach --wait --wait-timeout 180 ${service}`;
const REHEARSAL = 'compose run --detach --no-deps caddy';
const interrupting = (service: string) => [
  ...(service === 'caddy' ? [REHEARSAL, 'rm --force new-caddy'] : []),
  `logs ${service}-1`,
  alone(service),
];

test('update > replaces the other services with an older image or definition at the end', async () => {
  writeContainers(OTHERS);
  const { exitCode, stdout, calls } = await update();
  const replaced = ['caddy', 'prometheus', 'redis'].flatMap(interrupting);
  const [site = '', use = ''] = PAGES;
  expect([exitCode, calls]).toEqual([0, [...IMAGES, site, ...replaced, use]]);
  expect(stdout).toContain('Changed: caddy prometheus redis\n');
});

test('update > lets the previous Caddy serve > the new one does not become healthy', async () => {
  writeContainers(OTHERS);
  const { exitCode, stderr, calls } = await update({ HEALTH: 'starting', REHEARSED_WITHIN_S: '0' });
  const [site = '', use = ''] = PAGES;
  expect([exitCode, calls]).toEqual([1, [...IMAGES, site, REHEARSAL, 'logs new-caddy', 'rm --force new-caddy', use]]);
  expect(stderr).toContain('The new caddy does not become healthy. The previous one still serves.');
});

test('update > names them and replaces none > --later', async () => {
  writeContainers(OTHERS);
  const { stdout, calls } = await update({}, '--later');
  expect(calls).toEqual([...IMAGES, ...PAGES]);
  expect(stdout).toContain('Not replaced yet: caddy prometheus redis. In a quiet hour');
});

test('update > brings the previous image back > another service does not become healthy', async () => {
  writeContainers([...CURRENT, 'redis-1 redis 10.0.0.8 old newest']);
  const [site = '', use = ''] = PAGES;
  const back = ['logs redis-1', 'tag old image-of-redis', alone('redis')];
  const expected = [...IMAGES, site, ...interrupting('redis'), ...back, use];
  const { exitCode, stderr, calls } = await update({ FAILS_AT: '5' });
  expect([exitCode, calls]).toEqual([1, expected]);
  expect(stderr).toContain('The new redis does not become healthy. Its previous image runs again. The reason');
  rmSync(join(folder, 'calls'));
  const never = await update({ FAILS_ALWAYS: alone('redis') });
  expect([never.exitCode, never.calls]).toEqual([1, expected]);
  expect(never.stderr).toContain('nor does the previous image with the new definition');
});

interface Refusal {
  readonly what: string;
  readonly environment?: Environment;
  readonly running?: readonly string[];
  readonly says: string | RegExp;
}

const REFUSALS: readonly Refusal[] = [
  { what: 'Docker does not answer', environment: { DOCKER: 'off' }, says: '' },
  { what: 'nothing runs', running: [], says: 'nginx is not running. Start it: docker compose up -d --wait' },
  ...['nginx', 'worker', 'api'].map((service) => ({
    what: `${service} does not run`,
    running: CONTAINERS.filter((line) => !line.startsWith(service)),
    says: `${service} is not running. Start it: docker compose up -d --wait`,
  })),
  {
    what: 'COMPOSE_FILE names a file that is a profile now',
    environment: { COMPOSE_FILE: 'a.yml:docker-compose.caddy.yml' },
    says: /^docker-compose\.caddy\.yml has become a profile.*COMPOSE_PROFILES=caddy\.$/,
  },
  {
    what: 'COMPOSE_FILE names a file that is part of another now',
    environment: { COMPOSE_FILE: 'a.yml:docker-compose.secrets.yml' },
    says: /^docker-compose\.secrets\.yml is part of docker-compose\.yml now/,
  },
  {
    what: 'PostgreSQL has no secrets',
    environment: { COMPOSE_FILE: 'a.yml:docker-compose.postgres.yml' },
    says: 'PostgreSQL needs its secrets. Run scripts/make-secrets first.',
  },
  {
    what: 'COMPOSE_FILE names a file that does not exist',
    environment: { COMPOSE_FILE: 'a.yml:d.yml' },
    says: 'COMPOSE_FILE names d.yml, which does not exist.',
  },
  {
    what: 'other Compose files run',
    environment: { COMPOSE_FILE: 'a.yml:c.yml' },
    says: /running: .*\/a\.yml,.*\/b\.yml\n {2}\.env: .*\/a\.yml,.*\/c\.yml\nNothing was changed\./,
  },
];
for (const { what, environment, running = CONTAINERS, says } of REFUSALS)
  test(`update > changes nothing > ${what}`, async () => {
    writeContainers(running);
    const { exitCode, calls, stderr } = await update(environment);
    expect([exitCode, calls]).toEqual([1, []]);
    if (typeof says === 'string') expect(stderr).toBe(says);
    else expect(stderr).toMatch(says);
  });

for (const [file, exitCode] of [
  ['docker-compose.caddy.yml', 0],
  ['docker-compose.tls.yml', 0],
  ['docker-compose.secrets.yml', 0],
  ['docker-compose.postgres.yml', 1],
] as const)
  test(`update > ${exitCode ? 'refuses' : 'accepts'} containers of ${file}`, async () => {
    expect((await update({ STARTED_WITH: file }, '--plan')).exitCode).toBe(exitCode);
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
  test(`update > accepts the Compose files in .env > ${title}`, async () => {
    writeFileSync(join(folder, '.env'), settings);
    expect(await update({}, '--plan')).toMatchObject({ exitCode: 0, stderr: '' });
  });
