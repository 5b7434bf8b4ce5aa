import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ApiServer } from '../../test/api-server.ts';
import { pdf } from '../../test/corpus/pdf.ts';
import { RedisServer } from '../../test/redis-server.ts';
import { until } from '../../test/until.ts';
import { SETTINGS, type Settings } from '../settings/settings.ts';
import { RESUME_MAX_BYTES } from '../contract/protocol.ts';
import { messages } from '../contract/messages.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { ClientLimits } from '../http/client-limits.ts';
import { clientKey } from '../http/request-context.middleware.ts';
import { FREE_BYTES_MIN, FileStorage } from '../files/file-storage.ts';
import { INSERT_SETTLED_MS } from './intake.service.ts';
import { words } from '../../test/words.ts';

const FIELDS = {
  fullName: 'Ada Lovelace',
  email: 'ada@visitor.example',
  phone: '',
  position: 'Android Developer',
  experience: '2',
  coverLetter: 'Hello!\r\nWorld',
};
const STORED_FIELDS = { ...FIELDS, coverLetter: 'Hello!\nWorld' };
const MEGABYTE = 1_000_000;
const TOO_LARGE = pdf(RESUME_MAX_BYTES + 1);
const MULTIPART = { 'Content-Type': 'multipart/form-data; boundary=x' };
const KEY = { 'Idempotency-Key': 'key-of-an-application' };

/** A discarded upload is gone right after the response; the limit only covers a busy machine. */
const DISCARDED_MS = 10_000;

interface File {
  readonly bytes: Buffer;
  readonly name?: string;
  readonly type?: string;
}

const blobOf = ({ bytes, type = 'application/pdf' }: File) => new Blob([new Uint8Array(bytes)], { type });

/** A form with the fields, then the file, then more parts. */
function form(file?: File, fields: object = FIELDS, ...more: readonly (readonly [string, string | Blob])[]): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, String(value));
  if (file) data.append('resume', blobOf(file), file.name ?? 'cv.pdf');
  for (const [name, value] of more) data.append(name, value as string);
  return data;
}

/** A small valid file. */
const FILE: File = { bytes: pdf() };

/** The lines of a multipart body that a client has written by hand. */
const rawForm = (...parts: readonly (readonly [head: string, content: string])[]) =>
  Buffer.from(
    `${parts.map(([head, content]) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`).join('')}--x--\r\n`,
    'latin1',
  );
const PERSON = [
  ['name="fullName"', 'Ada'],
  ['name="email"', 'ada@visitor.example'],
] as const;

const json = async <T = { reference: string; message: string; errors?: object }>(response: Response) =>
  (await response.json()) as T;

const uploadsOf = async (api: ApiServer) => {
  const options = { recursive: true, withFileTypes: true } as const;
  const found = await readdir(join(api.folder, 'resumes/incoming'), options).catch(() => []);
  return found.filter((entry) => entry.isFile());
};

describe('intake > POST /api/resume', () => {
  let redis: RedisServer;
  let api: ApiServer;
  beforeAll(async () => {
    redis = await RedisServer.start();
    api = await ApiServer.start(redis.url);
  });
  // No upload stays behind after any answer.
  afterEach(async () => {
    jest.restoreAllMocks();
    try {
      await until('uploads removed', async () => (await uploadsOf(api)).length === 0, DISCARDED_MS);
    } finally {
      await api.clear();
    }
  });
  afterAll(async () => {
    await api.close();
    await redis.stop();
  });

  const send = (body: FormData | Buffer, headers: Record<string, string> = {}) =>
    api.post('/api/resume', body, headers);
  const storedFiles = async () => {
    const keys: string[] = [];
    for await (const { key } of api.files.list()) keys.push(key);
    return keys;
  };
  const bytesOf = async (reference: string) => {
    const found = await api.submissions.find(reference);
    return found?.resume ? buffer(await api.files.open(found.resume)) : undefined;
  };

  it('stores the fields and the file, byte for byte', async () => {
    const bytes = pdf(9_900_000);
    const response = await send(form({ bytes, name: 'Résumé 履歴書.pdf' }));
    expect(response.status).toBe(202);
    const { reference } = await json(response);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(await api.submissions.find(reference)).toMatchObject({
      form: 'application',
      fields: STORED_FIELDS,
      resume: { name: 'Résumé 履歴書.pdf', size: 9_900_000, sha256, mediaType: 'application/pdf' },
    });
    expect((await bytesOf(reference))?.equals(bytes)).toBe(true);
  });

  it('stores the same file once > without an idempotency key', async () => {
    const [first, second] = [await send(form(FILE)), await send(form(FILE))];
    expect((await json(second)).reference).toBe((await json(first)).reference);
    await send(form({ bytes: pdf(3_000) }));
    expect([(await storedFiles()).length, (await api.pendingIds()).length]).toEqual([2, 2]);
  });

  it.each<[what: string, file: File | undefined, status: number, message: string]>([
    ['is missing', undefined, 422, messages.required],
    ['is too large', { bytes: TOO_LARGE }, 413, messages.resumeTooLarge],
    ['is of another kind', { bytes: Buffer.from('hello') }, 415, messages.resumeWrongType],
  ])('reports a file that %s, alone and together with invalid fields', async (_, file, status, message) => {
    const alone = await send(form(file));
    expect([alone.status, await json(alone)]).toMatchObject([status, { errors: { resume: [message] } }]);
    const all = await send(form(file, { ...FIELDS, fullName: ' ', email: 'nobody' }));
    expect([all.status, await json(all)]).toEqual([
      422,
      {
        success: false,
        message: words.errors.checkForm,
        errors: { fullName: [messages.required], email: [messages.invalidEmail], resume: [message] },
      },
    ]);
    const page = await send(form(file, { ...FIELDS, fullName: '' }), { Accept: 'text/html' });
    expect(await page.text()).toMatch(/id="fullName-error">[^]*id="resume-error">/);
  });

  it('keeps the values of a plain form > fields after a file that is too large', async () => {
    const later = ['coverLetter', 'typed at the end'] as const;
    const data = form({ bytes: TOO_LARGE }, { fullName: 'Ada' }, ['email', 'ada@visitor.example'], later);
    const response = await send(data, { Accept: 'text/html' });
    const page = await response.text();
    expect([response.status, page.includes(later[1])]).toEqual([413, true]);
    expect(page).toContain(`id="resume-error">${messages.resumeTooLarge}</p>`);
  });

  const PART = ['name="resume"; filename="a.pdf"', '%PDF-1.4'] as const;
  it.each<[what: string, status: number, body: () => FormData | Buffer, type?: string]>([
    ['two files', 422, () => form(FILE, FIELDS, ['resume', blobOf(FILE)])],
    ['a file in another field', 422, () => form(undefined, FIELDS, ['phone', blobOf(FILE)])],
    ['1,000 fields', 413, () => form(FILE, FIELDS, ...Array.from({ length: 1_000 }, () => ['phone', 'x'] as const))],
    ['a field of 1 MB', 413, () => form(FILE, { ...FIELDS, coverLetter: 'x'.repeat(1_000_000) })],
    ['the same field twice', 422, () => form(FILE, FIELDS, ['fullName', 'Grace'])],
    ['a nested form of a known field', 422, () => form(FILE, FIELDS, ['fullName[x]', 'Grace'])],
    ['a list with a hole', 400, () => form(FILE, FIELDS, ['other[4294967294]', 'x'])],
    ['a field name of 60 kB', 400, () => rawForm(...PERSON, [`name="${'x'.repeat(60_000)}"`, '']), '; boundary=x'],
    ['a control character', 400, () => rawForm(['name="resume"; filename="\u0001.pdf"', '']), '; boundary=x'],
    ['no boundary', 400, () => rawForm(...PERSON, PART), ''],
    ['no end', 400, () => rawForm(...PERSON, PART).subarray(0, -10), '; boundary=x'],
  ])('rejects a form with %s, and stores nothing', async (...[, status, body, boundary]) => {
    const response = await send(
      body(),
      boundary === undefined ? {} : { 'Content-Type': `multipart/form-data${boundary}` },
    );
    expect([response.status, await json(response)]).toMatchObject([status, { success: false }]);
    expect([await storedFiles(), await api.pendingIds()]).toEqual([[], []]);
  });

  it('rejects a body that is no form with a file', async () => {
    const response = await api.postJson('/api/resume', FIELDS);
    expect([response.status, (await json(response)).message]).toEqual([415, words.errors.typeOfFormWithFile]);
  });

  it.each(['company', 'a[b][c]', 'a[]', 'a[0]', '__proto__[x]', 'constructor[prototype][x]', 'toString', '[', 'a]['])(
    'drops the unknown field %j and accepts the application',
    async (name) => {
      const response = await send(form(FILE, FIELDS, [name, 'x'], [name, 'y']));
      expect(response.status).toBe(202);
      expect((await api.submissions.find((await json(response)).reference))?.fields).toEqual(STORED_FIELDS);
      expect('x' in {}).toBe(false);
    },
  );

  it('removes the upload > the client aborts the request', async () => {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    const head = `POST /api/resume HTTP/1.1\r\nHost: x\r\nContent-Type: ${MULTIPART['Content-Type']}\r\n`;
    socket.write(`${head}Content-Length: 5000000\r\n\r\n`);
    socket.write(rawForm(PART).subarray(0, -10));
    socket.write(Buffer.alloc(1_000_000));
    await until('the upload begun', async () => (await uploadsOf(api)).length > 0);
    socket.destroy();
    await once(socket, 'close');
    await until('the upload removed', async () => (await uploadsOf(api)).length === 0, DISCARDED_MS);
    expect(await api.pendingIds()).toEqual([]);
  });

  it('stores repeats once with their file, and answers another file under the key with 409', async () => {
    const file = { bytes: pdf(50_000) };
    const sends = await Promise.all(Array.from({ length: 10 }, () => send(form(file), KEY)));
    expect(sends.map(({ status }) => status)).toEqual(Array(10).fill(202));
    const { reference } = await json(await send(form(file), KEY));
    expect((await send(form({ bytes: pdf(60_000) }), KEY)).status).toBe(409);
    expect([await storedFiles(), await api.pendingIds()]).toEqual([[expect.any(String)], [reference]]);
    expect((await bytesOf(reference))?.length).toBe(50_000);
    // The key of an enquiry is another one.
    const enquiry = { name: 'Ada', email: FIELDS.email, message: 'Hello, hello!', service: '' };
    expect((await json(await api.postJson('/api/contact', enquiry, KEY))).reference).not.toBe(reference);
  });

  it.each([
    ['keeps', 'committed before the answer was lost', true],
    ['keeps', 'committed later', true],
    ['removes', 'never committed', false],
  ])('%s the file of a failed INSERT > %s', async (_, when, isKept) => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const { submissions } = api;
    const insert = submissions.insert.bind(submissions);
    let commit = async (): Promise<unknown> => undefined;
    jest.spyOn(submissions, 'insert').mockImplementationOnce(async (submission) => {
      if (when.startsWith('committed before')) await insert(submission);
      if (when === 'committed later') commit = () => insert(submission);
      throw new StorageUnavailableError('DATABASE_URL: the connection broke');
    });
    expect((await send(form({ bytes: pdf(50_000) }), KEY)).status).toBe(503);
    await commit();
    const [look] = timers.mock.calls.find(([, ms]) => ms === INSERT_SETTLED_MS) ?? [];
    expect(await storedFiles()).toHaveLength(1);
    await (look as () => Promise<void>)();
    expect([(await storedFiles()).length, (await api.pendingIds()).length]).toEqual(isKept ? [1, 1] : [0, 0]);
    const { reference } = await json(await send(form({ bytes: pdf(50_000) }), KEY));
    expect((await bytesOf(reference))?.length).toBe(50_000);
  });

  it('answers 503 and writes no file > the disk is full', async () => {
    jest.spyOn(api.app.get(FileStorage, { strict: false }), 'freeBytes').mockResolvedValue(FREE_BYTES_MIN - 1);
    const response = await send(form(FILE));
    expect([response.status, Number(response.headers.get('retry-after'))]).toEqual([503, 30]);
    expect([await uploadsOf(api), await storedFiles(), await api.pendingIds()]).toEqual([[], [], []]);
  });

  it.each([
    [true, '192.0.2.1'],
    [false, '192.0.2.3'],
  ])('answers uploads beyond the quota with 429, and serves other clients > chunked: %s', async (isChunked, client) => {
    await api.countsInRedis();
    const quota = api.app.get<Settings>(SETTINGS).RATE_LIMIT_PER_MINUTE * RESUME_MAX_BYTES;
    await api.app.get(ClientLimits).countBytes(clientKey(client), quota - 2 * MEGABYTE);
    /** Sends a file with its length or, as a stream, without one (`Transfer-Encoding: chunked`). */
    const upload = (bytes: Buffer, from = client) => {
      const { headers, body } = new Response(form({ bytes }));
      headers.set('X-Forwarded-For', from);
      headers.set('Idempotency-Key', randomUUID());
      const options = { method: 'POST', headers, body: isChunked ? body : form({ bytes }), duplex: 'half' };
      if (!isChunked) headers.delete('Content-Type');
      return fetch(`${api.url}/api/resume`, options as RequestInit);
    };
    const statuses: number[] = [];
    for (let count = 0; count < 3; count++) statuses.push((await upload(pdf(0.9 * MEGABYTE))).status);
    expect(statuses).toEqual([202, 202, 429]);
    expect([await uploadsOf(api), (await api.pendingIds()).length]).toEqual([[], 2]);
    expect((await upload(pdf(), '192.0.2.2')).status).toBe(202);
    const refused = await upload(pdf(0.9 * MEGABYTE));
    const minutes = Number(/(\d+)/.exec((await json(refused)).message)?.[1]);
    expect([minutes > 50, Number(refused.headers.get('retry-after'))]).toEqual([true, minutes * 60]);
  });
});
