import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { readdir, utimes } from 'node:fs/promises';
import { Agent, request, type IncomingMessage, type RequestOptions } from 'node:http';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pdf } from '../../test/corpus/pdf.ts';
import { freePort } from '../../test/free-port.ts';
import { ServiceProcess } from '../../test/service-process.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { until } from '../../test/until.ts';
import { Database } from '../database/database.ts';
import { SERVICE } from '../../test/services.ts';

Logger.overrideLogger(false);

const ENQUIRY = JSON.stringify({
  name: 'Secret Name',
  email: 'secret@visitor.example',
  service: SERVICE,
  message: 'secret message',
});

it('intake > api process > names invalid variables and exits > at its start', async () => {
  const variables = { REDIS_URL: 'nonsense', RETENTION_DAYS: 'x' };
  await expect(ServiceProcess.start('api', variables)).rejects.toThrow(/REDIS_URL must[\s\S]*RETENTION_DAYS must/);
});

describe('intake > api process without Redis', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let environment: Record<string, string>;
  let api: ServiceProcess;

  // A start takes most of the time of a test, so one process serves all.
  beforeAll(async () => {
    folder = await temporaryFolder();
    environment = {
      DATABASE_URL: `file:${folder.path}/submissions.db`,
      REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
      RATE_LIMIT_PER_MINUTE: '1000000',
      // The api accepts submissions also with mailboxes of the example, for which the worker does not start.
      NODE_ENV: 'production',
    };
    api = await ServiceProcess.start('api', environment);
  });
  afterAll(async () => {
    await api.end('SIGKILL');
    await folder.remove();
  });

  /** Begins to send an enquiry. */
  const post = (options: RequestOptions = {}) =>
    request(`${api.url}/api/contact`, {
      method: 'POST',
      ...options,
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': ENQUIRY.length,
        'Idempotency-Key': randomUUID(),
        ...options.headers,
      },
    });
  /** Resolves with the head of a response. */
  const answerTo = async (sent: ReturnType<typeof post>): Promise<IncomingMessage> => {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
    return response;
  };
  const pendingCount = async () => {
    const database = await Database.open(environment['DATABASE_URL'] ?? '');
    const rows = await database.run((db) => db.selectFrom('submissions').select('id').execute());
    await database.close();
    return rows.length;
  };

  it('listens at the address of its URL only > it is an address of IP', async () => {
    // No machine has this one (RFC 5737).
    const elsewhere = ServiceProcess.start('api', { ...environment, API_URL: 'http://198.51.100.1:0' });
    await expect(elsewhere.then((started) => started.end('SIGKILL'))).rejects.toThrow(/EADDRNOTAVAIL/);
  });

  it('writes files that only its own user can read', async () => {
    const body = new FormData();
    body.append('fullName', 'Ada');
    body.append('email', 'ada@visitor.example');
    body.append('resume', new Blob([new Uint8Array(pdf(20_000))], { type: 'application/pdf' }), 'cv.pdf');
    expect((await fetch(`${api.url}/api/resume`, { method: 'POST', body })).status).toBe(202);
    const written = await readdir(folder.path, { recursive: true });
    expect(written).toEqual(expect.arrayContaining(['submissions.db', 'submissions.db-wal']));
    expect(written.some((name) => name.includes('/KW-'))).toBe(true);
    expect(written.filter((name) => (statSync(join(folder.path, name)).mode & 0o077) !== 0)).toEqual([]);
  });

  it('removes interrupted uploads > on a start an hour after SIGKILL', async () => {
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
    const upload = request(`${api.url}/api/resume`, { method: 'POST', headers });
    upload.on('error', () => undefined);
    upload.write('--b\r\nContent-Disposition: form-data; name="resume"; filename="a.pdf"\r\n\r\n');
    upload.write(pdf(200_000).subarray(0, 150_000));
    const incoming = `${folder.path}/resumes/incoming`;
    const uploads = () => readdir(incoming);
    await until('the upload', async () => (await uploads().catch(() => [])).length > 0);
    const restart = async () => {
      await api.end('SIGKILL');
      api = await ServiceProcess.start('api', environment);
    };
    await restart();
    const [left = ''] = await uploads();
    expect(left).not.toBe('');
    const before = Date.now() / 1_000 - 3_700;
    await utimes(join(incoming, left), before, before);
    await restart();
    expect(await uploads()).toEqual([]);
  });

  it('answers active requests, and ends idle connections > on SIGTERM', async () => {
    const before = await pendingCount();
    const nginx = { agent: new Agent({ keepAlive: true, maxSockets: 1 }) };
    expect((await answerTo(post(nginx).end(ENQUIRY))).headers.connection).toBe('keep-alive');
    const active = post({ headers: { Expect: '100-continue' } });
    active.flushHeaders();
    await once(active, 'continue');
    active.write(ENQUIRY.slice(0, 20));
    const ended = api.end('SIGTERM');
    const isRefused = () =>
      fetch(String(api.url)).then(
        () => false,
        () => true,
      );
    await until('new connections to be refused', isRefused);
    expect((await answerTo(active.end(ENQUIRY.slice(20)))).statusCode).toBe(202);
    await ended;
    expect(await pendingCount()).toBe(before + 2);
    expect(api.log).toContain('"event":"accepted"');
    expect(api.log.toLowerCase()).not.toContain('secret');
  });
});
