import { once } from 'node:events';
import { statSync } from 'node:fs';
import { readdir, utimes } from 'node:fs/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pdf } from '../../test/corpus/pdf.ts';
import { freePort } from '../../test/free-port.ts';
import { ServiceProcess } from '../../test/service-process.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { until } from '../../test/until.ts';
import { Database } from '../database/database.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { SERVICE } from '../../test/services.ts';

Logger.overrideLogger(false);

const FILE = new Blob([new Uint8Array(pdf(20_000))], { type: 'application/pdf' });

it('intake > api process > names invalid variables and exits > at its start', async () => {
  const variables = { REDIS_URL: 'nonsense', RETENTION_DAYS: 'x' };
  await expect(ServiceProcess.start('api', variables)).rejects.toThrow(/REDIS_URL must[\s\S]*RETENTION_DAYS must/);
});

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let environment: Record<string, string>;
let api: ServiceProcess;

async function prepare(): Promise<void> {
  folder = await temporaryFolder();
  environment = {
    DATABASE_URL: `file:${folder.path}/submissions.db`,
    REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
    RATE_LIMIT_PER_MINUTE: '1000000',
    // The api accepts submissions also with mailboxes of the example, for which the worker does not start.
    NODE_ENV: 'production',
  };
}

async function start(): Promise<void> {
  api = await ServiceProcess.start('api', environment);
}

async function cleanUp(): Promise<void> {
  await api.end('SIGKILL');
  await folder.remove();
}

describe('intake > api process that is killed', () => {
  beforeEach(prepare);
  afterEach(cleanUp);

  it('has stored everything that it answered with 202 > killed repeatedly', async () => {
    const accepted: string[] = [];
    for (let life = 1; life <= 2; life++) {
      await start();
      const sending = Array.from({ length: 4 }, (_, client) => sendUntilDead(String(api.url), client, accepted));
      const before = accepted.length;
      await until('some answers', () => accepted.length > before + 4 * life);
      await pause(life * 20);
      await api.end('SIGKILL');
      await Promise.all(sending);
    }
    expect(accepted.length).toBeGreaterThan(0);
    const stored = await storedForms();
    expect(accepted.filter((id) => !stored.has(id))).toEqual([]);
  });

  it('removes interrupted uploads > on a start an hour after SIGKILL', async () => {
    await start();
    const boundary = 'b';
    const upload = request(`${api.url}/api/resume`, {
      method: 'POST',
      headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    });
    upload.on('error', () => undefined);
    const head = 'Content-Disposition: form-data; name="resume"; filename="a.pdf"\r\nContent-Type: application/pdf';
    upload.write(`--${boundary}\r\n${head}\r\n\r\n`);
    upload.write(pdf(200_000).subarray(0, 150_000));
    const incoming = `${folder.path}/resumes/incoming`;
    const uploads = () => readdir(incoming);
    await until('the upload', async () => (await uploads().catch(() => [])).length > 0);
    await api.end('SIGKILL');
    const [left = ''] = await uploads();
    await start();
    expect(await uploads()).toEqual([left]);
    await api.end('SIGKILL');
    const before = Date.now() / 1_000 - 3_700;
    await utimes(`${incoming}/${left}`, before, before);
    await start();
    expect(await uploads()).toEqual([]);
  });
});

describe('intake > api process without Redis', () => {
  // A start takes most of the time of a test, so one process serves all.
  beforeAll(async () => {
    await prepare();
    await start();
  });
  afterAll(cleanUp);

  it('listens at the address of its URL only > it is an address of IP', async () => {
    // No machine has this one (RFC 5737).
    const elsewhere = ServiceProcess.start('api', { ...environment, API_URL: 'http://198.51.100.1:0' });
    await expect(elsewhere.then((started) => started.end('SIGKILL'))).rejects.toThrow(/EADDRNOTAVAIL/);
  });

  it('writes files that only its own user can read', async () => {
    expect((await sendApplication(String(api.url))).status).toBe(202);
    const written = await readdir(folder.path, { recursive: true });
    expect(written).toEqual(expect.arrayContaining(['submissions.db', 'submissions.db-wal']));
    expect(written.some((name) => name.includes('/KW-'))).toBe(true);
    const open = written.filter((name) => (statSync(join(folder.path, name)).mode & 0o077) !== 0);
    expect(open).toEqual([]);
  });

  it('answers active requests, and one more on each idle connection > on SIGTERM', async () => {
    const before = (await storedForms()).size;
    const nginx = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await postEnquiry(String(api.url), nginx)).headers.connection).toBe('keep-alive');
    const body = JSON.stringify({
      name: 'Secret Name',
      email: 'secret@visitor.example',
      service: SERVICE,
      message: 'secret message',
    });
    const question = request(`${api.url}/api/contact`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Length': body.length, Expect: '100-continue' },
    });
    question.flushHeaders();
    await once(question, 'continue');
    question.write(body.slice(0, 20));
    const ended = api.end('SIGTERM');
    await newConnectionsRefused();
    const last = await postEnquiry(String(api.url), nginx);
    expect([last.statusCode, last.headers.connection]).toEqual([202, 'close']);
    const answered = once(question, 'response');
    question.end(body.slice(20));
    const [answer] = (await answered) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(202);
    await ended;
    expect((await storedForms()).size).toBe(before + 3);
    expect(api.log).toContain('"event":"accepted"');
    expect(api.log.toLowerCase()).not.toContain('secret');
  });
});

/** Resolves when the api has received the signal and is draining. */
const newConnectionsRefused = () =>
  until('new connections to be refused', () =>
    fetch(String(api.url)).then(
      () => false,
      () => true,
    ),
  );

/** Returns the form of each pending submission by id. */
async function storedForms(): Promise<ReadonlyMap<string, string>> {
  const database = await Database.open(`file:${folder.path}/submissions.db`);
  const forms = new Map<string, string>();
  for await (const { id, form } of new SubmissionSearchRepository(database).select({ states: ['pending'] }))
    forms.set(id, form);
  await database.close();
  return forms;
}

/** Sends submissions one after the other and collects their references, until the api no longer answers. */
async function sendUntilDead(url: string, client: number, accepted: string[]): Promise<void> {
  for (;;) {
    try {
      const response = await (client % 2 === 0 ? sendEnquiry(url) : sendApplication(url));
      const { reference } = (await response.json()) as { reference: string };
      if (response.status === 202) accepted.push(reference);
    } catch {
      return;
    }
  }
}

function sendEnquiry(url: string): Promise<Response> {
  const body = JSON.stringify({
    name: 'Ada',
    email: 'ada@visitor.example',
    service: SERVICE,
    message: 'Hello, hello!',
  });
  return fetch(`${url}/api/contact`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
}

/** Sends an enquiry over the agent's persistent connection. Returns the head of the response. */
async function postEnquiry(url: string, agent: Agent): Promise<IncomingMessage> {
  const question = request(`${url}/api/contact`, {
    agent,
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
  });
  question.end(
    JSON.stringify({ name: 'Ada', email: 'ada@visitor.example', service: SERVICE, message: 'Hello, hello!' }),
  );
  const [response] = (await once(question, 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
  return response;
}

function sendApplication(url: string): Promise<Response> {
  const body = new FormData();
  body.append('fullName', 'Ada');
  body.append('email', 'ada@visitor.example');
  body.append('resume', FILE, 'cv.pdf');
  return fetch(`${url}/api/resume`, { method: 'POST', body });
}
