import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { basename, extname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ApiServer, eraseAtNextFind } from '../../test/api-server.ts';
import { generatedCorpus } from '../../test/corpus/generated.ts';
import { pdf } from '../../test/corpus/pdf.ts';
import { resumeCorpus } from '../../test/corpus/resumes.ts';
import { RedisServer } from '../../test/redis-server.ts';
import { oneOfEach } from '../../test/sample.ts';
import { until } from '../../test/until.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { RESUME_MAX_BYTES, RESUME_MEDIA_TYPES } from '../contract/protocol.ts';
import { messages } from '../contract/messages.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { ClientLimits } from '../http/client-limits.ts';
import { clientKey } from '../http/client-network.ts';
import { FREE_BYTES_MIN, FileStorage } from '../files/file-storage.ts';
import { IntakeService } from './intake.service.ts';
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

/** The unit tests of `files/` read each file. Here is one of each answer and extension. */
const corpus = oneOfEach(
  resumeCorpus,
  ({ status, name, becomes = '' }) => `${status} ${extname(name).toLowerCase()} ${becomes}`,
);
const generated = oneOfEach(
  generatedCorpus,
  ({ file, becomes = '', refused = '' }) => `${extname(file)} ${becomes} ${refused}`,
);

function form(
  file?: { bytes: Buffer; name?: string; type?: string },
  fields: Record<string, string> = FIELDS,
): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  if (file)
    data.append(
      'resume',
      new Blob([new Uint8Array(file.bytes)], { type: file.type ?? 'application/pdf' }),
      file.name ?? 'cv.pdf',
    );
  return data;
}

describe('intake > POST /api/resume', () => {
  let redis: RedisServer;
  let api: ApiServer;
  beforeAll(async () => {
    redis = await RedisServer.start();
    api = await ApiServer.start(redis.url);
  });
  afterEach(() => api.clear());
  afterAll(async () => {
    await api.close();
    await redis.stop();
  });

  const leftovers = async () => {
    const options = { recursive: true, withFileTypes: true } as const;
    const found = await readdir(join(api.folder, 'resumes/incoming'), options).catch(() => []);
    return found.filter((entry) => entry.isFile());
  };
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
    const response = await api.post('/api/resume', form({ bytes, name: 'Résumé 履歴書.pdf' }));
    expect(response.status).toBe(202);
    const { reference } = (await response.json()) as { reference: string };
    const found = await api.submissions.find(reference);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(found).toMatchObject({
      form: 'application',
      fields: STORED_FIELDS,
      resume: { name: 'Résumé 履歴書.pdf', size: 9_900_000, sha256, mediaType: 'application/pdf' },
    });
    expect((await bytesOf(reference))?.equals(bytes)).toBe(true);
    expect(await leftovers()).toEqual([]);
  });

  it('answers each file of the corpus as expected and stores only accepted ones', async () => {
    const statuses: Record<string, number> = {};
    for (const { what, name, type, bytes } of corpus) {
      const response = await api.post('/api/resume', form({ bytes: bytes(), name, type }));
      statuses[what] = response.status;
      await response.body?.cancel();
    }
    expect(statuses).toEqual(Object.fromEntries(corpus.map(({ what, status }) => [what, status])));
    const accepted = corpus.filter(({ status }) => status === 202).length;
    expect(new Set(Object.values(statuses))).toEqual(new Set([202, 413, 415, 422]));
    expect(await storedFiles()).toHaveLength(accepted);
    expect(await api.pendingIds()).toHaveLength(accepted);
    await until('uploads removed', async () => (await leftovers()).length === 0);
  });

  it('stores files of many programs byte for byte > any declared media type', async () => {
    const declared = [
      'application/wps-office.pdf',
      'application/vnd.ms-word',
      'application/zip',
      'application/x-pdf',
      'image/png',
      '',
    ];
    const odd: string[] = [];
    for (const [index, { file, becomes, refused }] of generated.entries()) {
      const bytes = await readFile(new URL(`../../test/corpus/files/${file}`, import.meta.url));
      const response = await api.post(
        '/api/resume',
        form({ bytes, name: file, type: declared[index % declared.length] ?? '' }),
      );
      const { reference = '' } = (await response.json()) as { reference?: string };
      if (refused) {
        if (response.ok) odd.push(`${file} was accepted`);
        continue;
      }
      const extension = becomes ?? extname(file);
      const found = await api.submissions.find(reference);
      const resume = found?.form === 'application' ? found.resume : undefined;
      const isSame = response.status === 202 && (await bytesOf(reference))?.equals(bytes);
      if (!isSame || resume?.name !== basename(file, extname(file)) + extension)
        odd.push(`${file}: ${response.status} ${resume?.name}`);
      if (resume?.mediaType !== RESUME_MEDIA_TYPES[extension as keyof typeof RESUME_MEDIA_TYPES])
        odd.push(`${file}: ${resume?.mediaType}`);
    }
    expect(odd).toEqual([]);
  });

  const part = (head: string) =>
    Buffer.concat([
      Buffer.from(
        `--x\r\nContent-Disposition: form-data; name="fullName"\r\n\r\nAda\r\n--x\r\nContent-Disposition: form-data; name="email"\r\n\r\nada@visitor.example\r\n--x\r\n${head}\r\n\r\n`,
        'latin1',
      ),
      pdf(),
      Buffer.from('\r\n--x--\r\n'),
    ]);

  it('accepts a file without a declared media type', async () => {
    const body = part('Content-Disposition: form-data; name="resume"; filename="cv.pdf"');
    const response = await api.post('/api/resume', body, { 'Content-Type': 'multipart/form-data; boundary=x' });
    expect(response.status).toBe(202);
  });

  it('reports a control character in the file name at the file field', async () => {
    const body = part(
      'Content-Disposition: form-data; name="resume"; filename="my\u0001cv.pdf"\r\nContent-Type: application/pdf',
    );
    const response = await api.post('/api/resume', body, { 'Content-Type': 'multipart/form-data; boundary=x' });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ errors: { resume: [messages.resumeName] } });
  });

  const latin1Form = (...fields: (readonly [string, string])[]) =>
    Buffer.concat([
      ...fields.map(([name, value]) =>
        Buffer.from(`--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`, 'latin1'),
      ),
      Buffer.from('--x\r\nContent-Disposition: form-data; name="resume"; filename="Ren\xe9.pdf"\r\n\r\n', 'latin1'),
      pdf(),
      Buffer.from('\r\n--x--\r\n'),
    ]);

  it.each([
    ['windows-1252', [['fullName', 'Ren\xe9 \x80']], 'René €'],
    [
      'the character set of its _charset_ field',
      [
        ['fullName', '\x8e\x52\x93\x63'],
        ['_charset_', 'Shift_JIS'],
      ],
      '山田',
    ],
  ] as const)('stores a plain form in %s as it was typed', async (_charset, fields, fullName) => {
    const body = latin1Form(['email', 'ada@visitor.example'], ...fields);
    const response = await api.post('/api/resume', body, { 'Content-Type': 'multipart/form-data; boundary=x' });
    expect(response.status).toBe(202);
    const { reference } = (await response.json()) as { reference: string };
    const found = await api.submissions.find(reference);
    expect(found?.fields).toMatchObject({ fullName });
    if (_charset === 'windows-1252') expect(found).toMatchObject({ resume: { name: 'René.pdf' } });
  });

  it('distinguishes a field name of 60 kB from an invalid file name', async () => {
    const body = part(`Content-Disposition: form-data; name="${'x'.repeat(60_000)}"`);
    const response = await api.post('/api/resume', body, { 'Content-Type': 'multipart/form-data; boundary=x' });
    expect(response.status).toBe(400);
    const answer = (await response.json()) as { message: string; errors?: object };
    expect(answer).toMatchObject({ success: false, message: words.errors.unreadableForm });
    expect(answer.errors).toBeUndefined();
  });

  it('names the reason for a rejected file', async () => {
    const messageOf = async (file: Parameters<typeof form>[0]) =>
      ((await (await api.post('/api/resume', form(file))).json()) as { message: string }).message;
    expect(await messageOf({ bytes: pdf(10 * 1024 * 1024 + 1) })).toBe(messages.resumeTooLarge);
    expect(await messageOf({ bytes: Buffer.from('hello') })).toBe(messages.resumeWrongType);
  });

  it('reports a missing file and missing fields', async () => {
    const noFile = await api.post('/api/resume', form());
    expect(noFile.status).toBe(422);
    expect(await noFile.json()).toMatchObject({ errors: { resume: [messages.required] } });
    const noName = await api.post('/api/resume', form({ bytes: pdf() }, { ...FIELDS, fullName: ' ' }));
    expect(noName.status).toBe(422);
    expect(await noName.json()).toMatchObject({ errors: { fullName: [messages.required] } });
    await until('uploads removed', async () => (await leftovers()).length === 0);
  });

  it.each<[string, Parameters<typeof form>[0], string]>([
    ['is missing', undefined, messages.required],
    ['is too large', { bytes: pdf(10 * 1024 * 1024 + 1) }, messages.resumeTooLarge],
    ['is of another kind', { bytes: Buffer.from('hello') }, messages.resumeWrongType],
  ])('reports invalid fields together with a file that %s', async (_case, file, message) => {
    const response = await api.post('/api/resume', form(file, { ...FIELDS, fullName: '', email: 'nobody' }));
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({
      success: false,
      message: words.errors.checkForm,
      errors: { fullName: [messages.required], email: [messages.invalidEmail], resume: [message] },
    });
    const page = await (
      await api.post('/api/resume', form(file, { ...FIELDS, fullName: '' }), { Accept: 'text/html' })
    ).text();
    for (const field of ['fullName', 'resume']) expect(page).toContain(`id="${field}-error">`);
    await until('uploads removed', async () => (await leftovers()).length === 0);
  });

  it('keeps the values of a plain form > fields after a file that is too large', async () => {
    const data = form(undefined, { fullName: 'Ada' });
    data.append('resume', new Blob([new Uint8Array(pdf(10 * 1024 * 1024 + 1))], { type: 'application/pdf' }), 'cv.pdf');
    data.append('email', 'ada@visitor.example');
    data.append('coverLetter', 'typed at the end');
    const response = await api.post('/api/resume', data, { Accept: 'text/html' });
    expect(response.status).toBe(413);
    const page = await response.text();
    expect(page).toContain('typed at the end');
    expect(page).toContain(`id="resume-error">${messages.resumeTooLarge}</p>`);
  });

  it.each([
    [
      'two files',
      422,
      () => withField(form({ bytes: pdf() }), 'resume', new Blob(['%PDF-1.4 %%EOF'], { type: 'application/pdf' })),
    ],
    ['a file in another field', 422, () => withField(form(), 'phone', new Blob(['x']))],
    [
      '1,000 fields',
      413,
      () =>
        Array.from({ length: 1000 }).reduce<FormData>((data) => withField(data, 'phone', 'x'), form({ bytes: pdf() })),
    ],
    ['a field of 1 MB', 413, () => form({ bytes: pdf() }, { ...FIELDS, coverLetter: 'x'.repeat(1_000_000) })],
    [
      'a letter of 10,001 characters',
      422,
      () => form({ bytes: pdf() }, { ...FIELDS, coverLetter: 'x'.repeat(10_001) }),
    ],
    ['the same field twice', 422, () => withField(form({ bytes: pdf() }), 'fullName', 'Grace')],
    ['a nested form of a known field', 422, () => withField(form({ bytes: pdf() }), 'fullName[x]', 'Grace')],
    ['a list with a hole', 400, () => withField(form({ bytes: pdf() }), 'other[4294967294]', 'x')],
  ])('rejects %s and stores nothing', async (_what, status, body) => {
    const response = await api.post('/api/resume', body());
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ success: false });
    await until('uploads removed', async () => (await leftovers()).length === 0);
    expect(await storedFiles()).toEqual([]);
  });

  it.each([
    ['another boundary than declared', 'multipart/form-data; boundary=x', '--y\r\n\r\nhello\r\n--y--', 400],
    ['no boundary', 'multipart/form-data', 'hello', 400],
    ['an empty boundary', 'multipart/form-data; boundary=', 'hello', 400],
    ['an empty boundary in quotes', 'multipart/form-data; boundary=""', 'hello', 400],
    [
      'a body without an end',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="resume"; filename="a.pdf"\r\n\r\n%PDF-1.4',
      400,
    ],
    ['JSON', 'application/json', '{}', 415],
  ])('rejects a body with %s', async (_what, type, body, status) => {
    const response = await api.post('/api/resume', body, { 'Content-Type': type });
    expect(response.status).toBe(status);
    await until('uploads removed', async () => (await leftovers()).length === 0);
  });

  it.each(['company', 'a[b][c]', 'a[]', 'a[0]', '__proto__[x]', 'constructor[prototype][x]', 'toString', '[', 'a]['])(
    'drops the unknown field %j and accepts the application',
    async (name) => {
      const body = withField(withField(form({ bytes: pdf() }), name, 'x'), name, 'y');
      const response = await api.post('/api/resume', body);
      expect(response.status).toBe(202);
      const { reference } = (await response.json()) as { reference: string };
      expect((await api.submissions.find(reference))?.fields).toEqual(STORED_FIELDS);
      expect('x' in {}).toBe(false);
    },
  );

  it('accepts a chunked body without Content-Length', async () => {
    expect((await sendChunked(api, form({ bytes: pdf(300_000) }))).status).toBe(202);
  });

  it('removes the upload > the client aborts the request', async () => {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      'POST /api/resume HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 5000000\r\n\r\n',
    );
    socket.write(
      '--x\r\nContent-Disposition: form-data; name="resume"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.4',
    );
    socket.write(Buffer.alloc(1_000_000));
    await until('the upload begun', async () => (await leftovers()).length > 0);
    socket.destroy();
    await once(socket, 'close');
    await until('the upload removed', async () => (await leftovers()).length === 0);
    expect(await api.pendingIds()).toEqual([]);
  });

  it('stores repeats once and answers another file under the same key with 409', async () => {
    const headers = { 'Idempotency-Key': 'key-of-an-application' };
    const sends = await Promise.all(
      Array.from({ length: 10 }, () => api.post('/api/resume', form({ bytes: pdf(50_000) }), headers)),
    );
    expect(sends.map(({ status }) => status)).toEqual(Array(10).fill(202));
    expect((await api.post('/api/resume', form({ bytes: pdf(60_000) }), headers)).status).toBe(409);
    expect(await storedFiles()).toHaveLength(1);
    const [id] = await api.pendingIds();
    expect((await bytesOf(String(id)))?.length).toBe(50_000);
    await until('uploads removed', async () => (await leftovers()).length === 0);
  });

  it('stores a repeat again with its file > its row is erased at that moment', async () => {
    const headers = { 'Idempotency-Key': 'key-of-an-application' };
    await api.post('/api/resume', form({ bytes: pdf(50_000) }), headers);
    eraseAtNextFind(api);
    const repeat = await api.post('/api/resume', form({ bytes: pdf(50_000) }), headers);
    expect(repeat.status).toBe(202);
    const { reference } = (await repeat.json()) as { reference: string };
    expect((await bytesOf(reference))?.length).toBe(50_000);
  });

  it('keeps the file of a submission > a repeat is answered', async () => {
    const headers = { 'Idempotency-Key': 'key-of-an-application' };
    const sent = () => api.post('/api/resume', form({ bytes: pdf(50_000) }), headers);
    const [first, repeat] = [await sent(), await sent()];
    expect([first.status, repeat.status]).toEqual([202, 202]);
    const { reference } = (await first.json()) as { reference: string };
    expect(await repeat.json()).toMatchObject({ reference });
    expect((await bytesOf(reference))?.length).toBe(50_000);
    expect(await storedFiles()).toHaveLength(1);
  });

  it('keeps the file of a stored row > the response to the INSERT is lost', async () => {
    jest.replaceProperty(api.app.get(IntakeService, { strict: false }), 'insertSettledMs', 10);
    const { submissions } = api;
    const looked = jest.spyOn(submissions, 'find');
    const insert = submissions.insert.bind(submissions);
    submissions.insert = async (submission) => {
      submissions.insert = insert;
      await insert(submission);
      throw new StorageUnavailableError('DATABASE_URL: the connection broke');
    };
    const headers = { 'Idempotency-Key': 'key-of-an-application' };
    expect((await api.post('/api/resume', form({ bytes: pdf(50_000) }), headers)).status).toBe(503);
    await until('the query for the row', () => looked.mock.calls.length > 0);
    await looked.mock.results[0]?.value;
    const [id = ''] = await api.pendingIds();
    expect((await bytesOf(id))?.length).toBe(50_000);
    const repeat = await api.post('/api/resume', form({ bytes: pdf(50_000) }), headers);
    expect(await repeat.json()).toMatchObject({ reference: id });
    expect((await bytesOf(id))?.length).toBe(50_000);
  });

  it.each(['keeps', 'removes'])('%s the file of a failed INSERT > committed later, or never', async (what) => {
    jest.replaceProperty(api.app.get(IntakeService, { strict: false }), 'insertSettledMs', 1_000);
    const { submissions } = api;
    const insert = submissions.insert.bind(submissions);
    let late: Promise<boolean> | undefined;
    submissions.insert = async (submission) => {
      submissions.insert = insert;
      if (what === 'keeps') late = pause(100).then(() => insert(submission));
      throw new StorageUnavailableError('DATABASE_URL: connection lost');
    };
    const looked = jest.spyOn(submissions, 'find');
    const removed = jest.spyOn(api.files, 'remove');
    expect((await api.post('/api/resume', form({ bytes: pdf(50_000) }))).status).toBe(503);
    await late;
    await until('the query for the row', () => looked.mock.calls.length > 0);
    await looked.mock.results[0]?.value;
    expect(removed).toHaveBeenCalledTimes(what === 'keeps' ? 0 : 1);
    await until('the file', async () => (await storedFiles()).length === (what === 'keeps' ? 1 : 0));
    expect(await api.pendingIds()).toHaveLength(what === 'keeps' ? 1 : 0);
  });

  it('accepts the idempotency key as a field of the plain form', async () => {
    const fields = { ...FIELDS, idempotencyKey: 'key-of-an-application' };
    const sent = async (changes = {}) =>
      api.post('/api/resume', form({ bytes: pdf(50_000) }, { ...fields, ...changes }), { Accept: 'text/html' });
    expect([(await sent()).status, (await sent()).status]).toEqual([202, 202]);
    expect(await api.pendingIds()).toHaveLength(1);
    expect((await sent({ fullName: 'Grace Hopper' })).status).toBe(409);
  });

  it('answers 503 and writes no file > the disk is full', async () => {
    jest.spyOn(api.app.get(FileStorage, { strict: false }), 'freeBytes').mockResolvedValue(FREE_BYTES_MIN - 1);
    const response = await api.post('/api/resume', form({ bytes: pdf() }));
    expect([response.status, Number(response.headers.get('retry-after'))]).toEqual([503, 30]);
    expect([await leftovers(), await storedFiles(), await api.pendingIds()]).toEqual([[], [], []]);
  });

  it('allows enough time for the largest résumé at 30 kB/s', async () => {
    const server = api.app.getHttpServer() as Server;
    expect(server.requestTimeout).toBeGreaterThan((RESUME_MAX_BYTES / 30_000) * 1_000 * 1.5);
    expect(server.headersTimeout).toBeLessThanOrEqual(10_000);
  });
});

describe('intake > POST /api/resume > upload quota', () => {
  const MEGABYTE = 1_000_000;
  let redis: RedisServer;
  let api: ApiServer;
  beforeEach(async () => {
    redis = await RedisServer.start();
    api = await ApiServer.start(redis.url);
    await api.countsInRedis();
    const { RATE_LIMIT_PER_MINUTE } = api.app.get<Settings>(SETTINGS);
    await api.app
      .get(ClientLimits)
      .countBytes(clientKey('192.0.2.1'), RATE_LIMIT_PER_MINUTE * RESUME_MAX_BYTES - 2 * MEGABYTE);
  });
  afterEach(async () => {
    await api.close();
    await redis.stop();
  });

  const sendStated = (body: FormData) => api.post('/api/resume', body, { 'X-Forwarded-For': '192.0.2.1' });
  const stored = async () => {
    const keys: string[] = [];
    for await (const { key } of api.files.list()) keys.push(key);
    return keys.length;
  };

  it.each([
    ['chunked', sendChunked],
    ['of a known length', (_api: ApiServer, body: FormData) => sendStated(body)],
  ])('answers uploads that are %s with 429 and serves other clients', async (_how, send) => {
    const statuses: number[] = [];
    for (let count = 0; count < 4; count++)
      statuses.push((await send(api, form({ bytes: pdf(0.9 * MEGABYTE) }))).status);
    expect(statuses).toEqual([202, 202, 429, 429]);
    expect(await stored()).toBe(2);
    const uploads = await readdir(join(api.folder, 'resumes/incoming'), { recursive: true, withFileTypes: true });
    expect(uploads.filter((entry) => entry.isFile())).toEqual([]);
    expect((await sendChunked(api, form({ bytes: pdf() }), '192.0.2.2')).status).toBe(202);
  });

  it('counts concurrent chunked uploads and rejected ones', async () => {
    const rejected = await sendChunked(api, form({ bytes: Buffer.alloc(MEGABYTE, 'x') }));
    expect(rejected.status).toBe(415);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => sendChunked(api, form({ bytes: pdf(0.4 * MEGABYTE) }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 429, 429, 429, 429]);
    expect(await stored()).toBe(2);
  });

  it('names the same pause in Retry-After and in the message', async () => {
    for (let count = 0; count < 2; count++) await sendStated(form({ bytes: pdf(0.9 * MEGABYTE) }));
    const refused = await sendStated(form({ bytes: pdf(0.9 * MEGABYTE) }));
    const { message } = (await refused.json()) as { message: string };
    const minutes = Number(/(\d+)/.exec(message)?.[1]);
    expect(minutes).toBeGreaterThan(50);
    expect(Number(refused.headers.get('retry-after'))).toBe(minutes * 60);
  });
});

/** Sends a form as a stream, without Content-Length (`Transfer-Encoding: chunked`). */
function sendChunked({ url }: ApiServer, form: FormData, from = '192.0.2.1'): Promise<Response> {
  const { headers, body } = new Response(form);
  headers.set('X-Forwarded-For', from);
  return fetch(`${url}/api/resume`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
}

function withField(data: FormData, name: string, value: string | Blob): FormData {
  data.append(name, value as string);
  return data;
}
