import { expect, test } from '@playwright/test';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { deployed, ENQUIRY, VERSION, type Deployment } from './deployment.ts';

const at = deployed();

/** Makes images of another version out of those that run: what is built on top of each, by image. */
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
  await at.deployment.run(`docker image rm --force ${images.join(' ')}`);
});

/** The mail catcher keeps every mail in memory, and an update that fails takes minutes. */
const ENQUIRY_EVERY_MS = 100;

/** Statuses of pages and enquiries while something is done. */
async function statusesDuring(deployment: Deployment, action: () => Promise<unknown>): Promise<readonly string[]> {
  const statuses = new Set<string>();
  const end = new AbortController();
  const visitor = async (path: string, ask: () => Promise<{ status: number }>) => {
    while (!end.signal.aborted) {
      // As nginx reloads it closes idle connections; a browser makes another one.
      const { status } = await ask();
      if (status !== 0) statuses.add(`${path} ${status}`);
    }
  };
  const enquire = () => pause(ENQUIRY_EVERY_MS).then(() => deployment.enquire());
  const visitors = [
    visitor('page', () => deployment.ask('/about')),
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

/** Status of an enquiry whose sender is slow: it began before what is done, and ends so many seconds after `moment`. */
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

test('an update waits for a visitor who began before it and is slow', async () => {
  const { deployment } = at;
  const isHealthyTwice = async () => {
    const health = await deployment.do("docker compose ps api --format '{{.Health}}'");
    expect(health).toBe('healthy\nhealthy');
  };
  const status = slowEnquiry(deployment, () => expect(isHealthyTwice).toPass({ timeout: 280_000 }), 15);
  await deployment.do('scripts/rolling-update');
  expect(await status).toBe(202);
});

test('an update refuses no visitor, keeps the logs of what it replaces, and leaves nothing for the next "up" to do', async () => {
  const { deployment } = at;
  const before = await deployment.containers('api worker');
  const [api] = await deployment.containers('api');
  const [line] = (await deployment.do(`docker logs ${api}`)).split('\n');
  const statuses = await statusesDuring(deployment, () => deployment.do('scripts/rolling-update'));
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

test('an update is refused where .env names another set-up than the one that runs', async () => {
  const { deployment } = at;
  const before = await deployment.containers();
  const { exitCode, stderr } = await deployment.run('scripts/rolling-update', {
    env: { COMPOSE_FILE: 'docker-compose.yml' },
  });
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('other files than COMPOSE_FILE')]);
  expect(await deployment.containers()).toEqual(before);
});

test('an update whose api does not get well leaves the former one in service, and says what to do', async () => {
  const { deployment } = at;
  const ill =
    "import http from 'node:http'; http.createServer((_, answer) => answer.writeHead(503).end()).listen(3000);";
  await makeVersion(deployment, 'broken', {
    'form-service': `USER root\nRUN echo "${ill}" > dist/api.js\nUSER node`,
  });
  const [api] = await deployment.containers('api');
  let update: { exitCode: number | undefined; stderr: string } | undefined;
  const statuses = await statusesDuring(deployment, async () => {
    update = await deployment.run('scripts/rolling-update', { env: { VERSION: 'broken' } });
  });
  expect(update).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('The new api does not become healthy') });
  expect(statuses).toEqual(['enquiry 202', 'page 200']);
  expect(await deployment.containers('api')).toEqual([api]);
  await deployment.enquiryArrives();
});

test('another version is put into use by its number, and so is the former one again', async () => {
  const { deployment } = at;
  await makeVersion(deployment, 'next');
  for (const version of ['next', VERSION]) {
    deployment.set({ VERSION: version });
    const said = await deployment.do('scripts/rolling-update');
    expect(said).toContain('nginx itself has changed');
    const [api] = await deployment.containers('api');
    expect(await deployment.do(`docker inspect -f '{{.Config.Image}}' ${api}`)).toContain(`:${version}`);
    await deployment.do('docker compose up --detach --wait');
    await deployment.enquiryArrives();
  }
});
