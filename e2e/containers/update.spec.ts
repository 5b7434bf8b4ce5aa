import { expect, test } from '@playwright/test';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { useDeployment, ENQUIRY, TRIAL, VERSION, type Deployment } from './deployment.ts';

/** Image that the repository does not build, as of Redis. */
const FOREIGN = 'kitewright-redis:checked';

/** Image in place of that of Prometheus. */
const MONITORING = 'kitewright-monitoring:checked';

const at = useDeployment(() => ({ COMPOSE_FILE: `${TRIAL}:checked.yml` }), false);

test.beforeAll(async () => {
  const { deployment } = at;
  await makeForeign(deployment, 'old');
  writeFileSync(
    join(deployment.folder, 'checked.yml'),
    `services: { redis: { image: '${FOREIGN}', labels: { of: '1' } } }\n`,
  );
  await deployment.up();
});

const makeForeign = (deployment: Deployment, version: string) =>
  deployment.do(`docker build --quiet --tag ${FOREIGN} -`, { input: `FROM redis:7\nLABEL of=${version}\n` });

/** Builds images of another version on top of the tested ones, with additional Dockerfile lines by image. */
async function makeVersion(deployment: Deployment, version: string, changes: Readonly<Record<string, string>> = {}) {
  for (const image of ['web', 'nginx', 'form-service']) {
    const name = `localhost/kitewright/${image}`;
    const input = `FROM ${name}:${VERSION}\nLABEL of=${version}\n${changes[image] ?? ''}\n`;
    await deployment.do(`docker build --quiet --tag ${name}:${version} -`, { input });
  }
}

test.afterAll(async () => {
  const images = ['web', 'nginx', 'form-service'].flatMap((image) =>
    ['next', 'broken'].map((version) => `localhost/kitewright/${image}:${version}`),
  );
  await at.deployment.run(`docker image rm --force ${FOREIGN} ${MONITORING} ${images.join(' ')}`);
});

/** Limits the number of mails: a failed update takes minutes. */
const ENQUIRY_EVERY_MS = 100;

/** Requests pages and sends enquiries during an action, and returns the different statuses. */
async function statusesDuring(deployment: Deployment, action: () => Promise<unknown>): Promise<readonly string[]> {
  const statuses = new Set<string>();
  const end = new AbortController();
  const visitor = async (path: string, ask: () => Promise<{ status: number }>) => {
    while (!end.signal.aborted) {
      // Ignores connections that nginx closes during a reload: a browser would retry.
      const { status } = await ask();
      if (status !== 0) statuses.add(`${path} ${status}`);
    }
  };
  const enquire = () => pause(ENQUIRY_EVERY_MS).then(() => deployment.enquire());
  const visitors = [
    visitor('page', () => deployment.request('/about')),
    visitor('enquiry', enquire),
    visitor('enquiry', enquire),
  ];
  try {
    await action();
  } finally {
    end.abort();
    await Promise.all(visitors);
  }
  return [...statuses].sort();
}

/** Begins to send an enquiry, ends it some seconds after `moment` resolves, and returns the status. */
async function slowEnquiry(deployment: Deployment, moment: () => Promise<unknown>, seconds: number): Promise<number> {
  const sent = request({
    port: deployment.port,
    path: '/api/contact',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  const typing = setInterval(() => sent.write(' '), 1_000);
  await moment();
  await pause(seconds * 1_000);
  clearInterval(typing);
  sent.end(ENQUIRY);
  const [answer] = await answered;
  answer.resume();
  return answer.statusCode ?? 0;
}

function replaceIn({ folder }: Deployment, name: string, old: string | RegExp, text: string): void {
  const file = join(folder, name);
  writeFileSync(file, readFileSync(file, 'utf8').replace(old, text));
}

test('update > waits for a slow request', async () => {
  const { deployment } = at;
  const isHealthyTwice = async () => {
    const health = await deployment.do("docker compose ps api --format '{{.Health}}'");
    expect(health).toBe('healthy\nhealthy');
  };
  const status = slowEnquiry(deployment, () => expect(isHealthyTwice).toPass({ timeout: 280_000 }), 15);
  await deployment.do('scripts/update --restart');
  expect(await status).toBe(202);
});

test('update > fails no request, keeps old logs, and "up" changes nothing', async () => {
  const { deployment } = at;
  const before = await deployment.containers('api worker');
  const [api] = await deployment.containers('api');
  const [line] = (await deployment.do(`docker logs ${api}`)).split('\n');
  const statuses = await statusesDuring(deployment, () => deployment.do('scripts/update --restart'));
  expect(statuses).toEqual(['enquiry 202', 'page 200']);
  const after = await deployment.containers('api worker nginx');
  for (const id of before) expect(after).not.toContain(id);
  const kept = readdirSync(join(deployment.folder, 'logs')).map((name) =>
    readFileSync(join(deployment.folder, 'logs', name), 'utf8'),
  );
  expect(kept.join('')).toContain(line);
  await deployment.enquiryArrives();
  await deployment.do('docker compose up --detach');
  expect(await deployment.containers('api worker nginx')).toEqual(after);
});

test('update > changes nothing > COMPOSE_FILE differs from the running files', async () => {
  const { deployment } = at;
  const before = await deployment.containers();
  const { exitCode, stderr } = await deployment.run('scripts/update', {
    env: { COMPOSE_FILE: 'docker-compose.yml' },
  });
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('other files than COMPOSE_FILE')]);
  expect(await deployment.containers()).toEqual(before);
});

test('update > keeps the previous api > the new one never becomes healthy', async () => {
  const { deployment } = at;
  const unhealthy =
    "import http from 'node:http'; http.createServer((_, answer) => answer.writeHead(503).end()).listen(3000);";
  await makeVersion(deployment, 'broken', {
    'form-service': `USER root\nRUN echo "${unhealthy}" > dist/api.js\nUSER node`,
  });
  const [api] = await deployment.containers('api');
  let update: { exitCode: number | undefined; stderr: string } | undefined;
  const statuses = await statusesDuring(deployment, async () => {
    update = await deployment.run('scripts/update', { env: { VERSION: 'broken' } });
  });
  expect(update).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('The new api does not become healthy') });
  expect(statuses).toEqual(['enquiry 202', 'page 200']);
  expect(await deployment.containers('api')).toEqual([api]);
  await deployment.enquiryArrives();
});

test('update > replaces nothing > the new version cannot open its database', async () => {
  const { deployment } = at;
  const [worker] = await deployment.containers('worker');
  const { exitCode, stderr } = await deployment.run('scripts/update', {
    env: { DATABASE_URL: 'file:/not-mounted/submissions.db' },
  });
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Nothing was replaced')]);
  expect(await deployment.containers('worker')).toEqual([worker]);
  await deployment.enquiryArrives();
});

test('update > switches to the version of VERSION and back', async () => {
  const { deployment } = at;
  await makeVersion(deployment, 'next');
  for (const version of ['next', VERSION]) {
    deployment.set({ VERSION: version });
    const said = await deployment.do('scripts/update');
    for (const line of ['worker: 1 replaced', 'api: 1 replaced', 'nginx: replaced', 'Everything is up to date.'])
      expect(said).toContain(line);
    for (const [id] of [await deployment.containers('api'), await deployment.containers('nginx')])
      expect(await deployment.do(`docker inspect -f '{{.Config.Image}}' ${id}`)).toContain(`:${version}`);
    await deployment.enquiryArrives();
  }
});

/** A program in place of Prometheus, which only waits. */
const WAITING =
  'ENTRYPOINT ["sh", "-c", "sleep infinity"]\nRUN printf "#!/bin/sh\\n" > /usr/bin/wget && chmod 755 /usr/bin/wget';

test('monitoring > runs with a changed file > its image is built again', async () => {
  const { deployment } = at;
  await deployment.do(`docker build --quiet --tag ${MONITORING} -`, { input: `FROM debian:trixie-slim\n${WAITING}\n` });
  replaceIn(deployment, 'docker-compose.images.yml', /prom\/prometheus:\S+/, MONITORING);
  const apply = async () => {
    await deployment.do('docker compose build --quiet prometheus && docker compose up --detach --wait prometheus');
    return deployment.containers('prometheus');
  };
  const first = await apply();
  expect(await apply()).toEqual(first);
  replaceIn(deployment, 'monitoring/prometheus.yml', 'scrape_interval: 15s', 'scrape_interval: 16s');
  expect(await apply()).not.toEqual(first);
  const used = await deployment.do('docker compose exec -T prometheus cat /etc/prometheus/prometheus.yml');
  expect(used).toContain('scrape_interval: 16s');
});

/** Changes by which a running container becomes older than what is here. */
const CHANGES: Readonly<Record<string, (deployment: Deployment) => unknown>> = {
  'an image': (deployment) => makeForeign(deployment, 'new'),
  'a definition': (deployment) => replaceIn(deployment, 'checked.yml', "of: '1'", "of: '2'"),
};

test('update > replaces only the container with an older image or definition', async () => {
  const { deployment } = at;
  expect(await deployment.do('scripts/update')).toContain('Changed: nothing');
  for (const [title, change] of Object.entries(CHANGES)) {
    await change(deployment);
    const others = await deployment.containers('api worker nginx');
    expect(await deployment.do('scripts/update'), title).toContain('Changed: redis\n');
    expect(await deployment.containers('api worker nginx')).toEqual(others);
  }
  expect(await deployment.do('scripts/update')).toContain('Changed: nothing');
  await deployment.enquiryArrives();
});
