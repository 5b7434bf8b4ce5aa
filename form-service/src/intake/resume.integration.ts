import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { basename, extname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiServer, eraseAtNextFind } from '../../test/api-server.ts';
import { generatedCorpus } from '../../test/corpus/generated.ts';
import { pdf } from '../../test/corpus/pdf.ts';
import { resumeCorpus } from '../../test/corpus/resumes.ts';
import { RedisServer } from '../../test/redis-server.ts';
import { until } from '../../test/until.ts';
import { RESUME_MAX_BYTES, RESUME_MEDIA_TYPES } from '../contract/protocol.ts';
import { messages } from '../contract/messages.ts';

const FIELDS = {
  fullName: 'Ada Lovelace',
  email: 'ada@visitor.example',
  phone: '',
  position: 'Android Developer',
  experience: '2',
  coverLetter: 'Hello!\r\nWorld',
};

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

describe('POST /api/resume', () => {
  let redis: RedisServer;
  let api: ApiServer;
  beforeAll(async () => {
    redis = await RedisServer.start();
  });
  beforeEach(async () => {
    api = await ApiServer.start(redis.url);
  });
  afterEach(async () => {
    await api.close();
  });
  afterAll(() => redis.stop());

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
    return found?.form === 'application' ? buffer(await api.files.open(found.resume.key)) : undefined;
  };

  it('The fields and the file are stored, byte for byte', async () => {
    const bytes = pdf(9_900_000);
    const response = await api.post('/api/resume', form({ bytes, name: 'Résumé 履歴書.pdf' }));
    expect(response.status).toBe(202);
    const { reference } = (await response.json()) as { reference: string };
    const found = await api.submissions.find(reference);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(found).toMatchObject({
      form: 'application',
      fields: FIELDS,
      resume: { name: 'Résumé 履歴書.pdf', size: 9_900_000, sha256, mediaType: 'application/pdf' },
    });
    expect((await bytesOf(reference))?.equals(bytes)).toBe(true);
    expect(await leftovers()).toEqual([]);
  });

  it('Each file of the corpus gets its expected answer, and only accepted ones are stored', async () => {
    const statuses: Record<string, number> = {};
    for (const { what, name, type, bytes } of resumeCorpus) {
      const response = await api.post('/api/resume', form({ bytes: bytes(), name, type }));
      statuses[what] = response.status;
      await response.body?.cancel();
    }
    expect(statuses).toEqual(Object.fromEntries(resumeCorpus.map(({ what, status }) => [what, status])));
    const accepted = resumeCorpus.filter(({ status }) => status === 202).length;
    expect(resumeCorpus.length).toBeGreaterThanOrEqual(40);
    expect(await storedFiles()).toHaveLength(accepted);
    expect(await api.pendingIds()).toHaveLength(accepted);
    await until('uploads removed', async () => (await leftovers()).length === 0);
  });

  it('Files of other programs are stored byte for byte, whatever media type is declared', async () => {
    const declared = [
      'application/wps-office.pdf',
      'application/vnd.ms-word',
      'application/zip',
      'application/x-pdf',
      'image/png',
      '',
    ];
    const odd: string[] = [];
    for (const [index, { file, becomes, refused }] of generatedCorpus.entries()) {
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

  it('A file without a declared media type is accepted', async () => {
    const body = part('Content-Disposition: form-data; name="resume"; filename="cv.pdf"');
    const response = await api.post('/api/resume', body, { 'Content-Type': 'multipart/form-data; boundary=x' });
    expect(response.status).toBe(202);
  });

  it('A control character in the file name is reported at the file', async () => {
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
      'the character set that it names',
      [
        ['fullName', '\x8e\x52\x93\x63'],
        ['_charset_', 'Shift_JIS'],
      ],
      '山田',
    ],
  ] as const)('A plain form in %s is stored as it was typed', async (_charset, fields, fullName) => {
    const body = latin1Form(['email', 'ada@visitor.example'], ...fields);
    const response = await api.post('/api/resume', body, { 'Content-Type': 'multipart/form-data; boundary=x' });
    expect(response.status).toBe(202);
    const { reference } = (await response.json()) as { reference: string };
    const found = await api.submissions.find(reference);
    expect(found?.fields).toMatchObject({ fullName });
    if (_charset === 'windows-1252') expect(found).toMatchObject({ resume: { name: 'René.pdf' } });
  });

  it('A field name of 60 kB is not taken for a wrong name of the file', async () => {
    const body = part(`Content-Disposition: form-data; name="${'x'.repeat(60_000)}"`);
    const response = await api.post('/api/resume', body, { 'Content-Type': 'multipart/form-data; boundary=x' });
    expect(response.status).toBe(400);
    const answer = (await response.json()) as { message: string; errors?: object };
    expect(answer).toMatchObject({ success: false, message: expect.stringContaining('could not read this form') });
    expect(answer.errors).toBeUndefined();
  });

  it('A refused file has the message of its reason', async () => {
    const messageOf = async (file: Parameters<typeof form>[0]) =>
      ((await (await api.post('/api/resume', form(file))).json()) as { message: string }).message;
    expect(await messageOf({ bytes: pdf(10 * 1024 * 1024 + 1) })).toBe('File size must be less than 10MB');
    expect(await messageOf({ bytes: Buffer.from('hello') })).toBe('Please upload a PDF or Word document');
  });

  it('A missing file and missing fields are reported together', async () => {
    const noFile = await api.post('/api/resume', form());
    expect(noFile.status).toBe(422);
    expect(await noFile.json()).toMatchObject({ errors: { resume: ['Required'] } });
    const noName = await api.post('/api/resume', form({ bytes: pdf() }, { ...FIELDS, fullName: ' ' }));
    expect(noName.status).toBe(422);
    expect(await noName.json()).toMatchObject({ errors: { fullName: ['Required'] } });
    await until('uploads removed', async () => (await leftovers()).length === 0);
  });

  it.each<[string, Parameters<typeof form>[0], string]>([
    ['is missing', undefined, 'Required'],
    ['is too large', { bytes: pdf(10 * 1024 * 1024 + 1) }, 'File size must be less than 10MB'],
    ['is of another kind', { bytes: Buffer.from('hello') }, 'Please upload a PDF or Word document'],
  ])('Wrong fields are reported together with a file that %s', async (_case, file, message) => {
    const response = await api.post('/api/resume', form(file, { ...FIELDS, fullName: '', email: 'nobody' }));
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({
      success: false,
      message: 'Please check the form.',
      errors: { fullName: ['Required'], email: ['Invalid email'], resume: [message] },
    });
    const page = await (
      await api.post('/api/resume', form(file, { ...FIELDS, fullName: '' }), { Accept: 'text/html' })
    ).text();
    for (const field of ['fullName', 'resume']) expect(page).toContain(`id="${field}-error">`);
    await until('uploads removed', async () => (await leftovers()).length === 0);
  });

  it('A plain form comes back with what was typed, also in fields after a file that is too large', async () => {
    const data = form(undefined, { fullName: 'Ada' });
    data.append('resume', new Blob([new Uint8Array(pdf(10 * 1024 * 1024 + 1))], { type: 'application/pdf' }), 'cv.pdf');
    data.append('email', 'ada@visitor.example');
    data.append('coverLetter', 'typed at the end');
    const response = await api.post('/api/resume', data, { Accept: 'text/html' });
    expect(response.status).toBe(413);
    const page = await response.text();
    expect(page).toContain('typed at the end');
    expect(page).toContain('id="resume-error">File size must be less than 10MB</p>');
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
    ['a nested field', 400, () => withField(form({ bytes: pdf() }), 'fullName[x]', 'Grace')],
  ])('The api refuses %s and stores nothing', async (_what, status, body) => {
    const response = await api.post('/api/resume', body());
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ success: false });
    await until('uploads removed', async () => (await leftovers()).length === 0);
    expect(await storedFiles()).toEqual([]);
  });

  it.each([
    ['another boundary than it says', 'multipart/form-data; boundary=x', '--y\r\n\r\nhello\r\n--y--', 400],
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
  ])('The api refuses a body with %s', async (_what, type, body, status) => {
    const response = await api.post('/api/resume', body, { 'Content-Type': type });
    expect(response.status).toBe(status);
    await until('uploads removed', async () => (await leftovers()).length === 0);
  });

  it('A chunked body without a stated length is accepted', async () => {
    const { headers, body } = new Response(form({ bytes: pdf(300_000) }));
    const response = await fetch(`${api.url}/api/resume`, {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(202);
  });

  it('A client that goes away half way leaves nothing behind', async () => {
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

  it('Repeats are stored once, and another file under the same key gets a 409', async () => {
    const headers = { 'Idempotency-Key': 'resume-key-1' };
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

  it('A repeat whose row is erased at that moment is stored again, with its file', async () => {
    const headers = { 'Idempotency-Key': 'resume-key-1' };
    await api.post('/api/resume', form({ bytes: pdf(50_000) }), headers);
    eraseAtNextFind(api);
    const repeat = await api.post('/api/resume', form({ bytes: pdf(50_000) }), headers);
    expect(repeat.status).toBe(202);
    const { reference } = (await repeat.json()) as { reference: string };
    expect((await bytesOf(reference))?.length).toBe(50_000);
  });

  it('The largest résumé at 30 kB/s arrives before the server gives up', async () => {
    const server = api.app.getHttpServer() as Server;
    expect(server.requestTimeout).toBeGreaterThan((RESUME_MAX_BYTES / 30_000) * 1_000 * 1.5);
    expect(server.headersTimeout).toBeLessThanOrEqual(10_000);
  });
});

function withField(data: FormData, name: string, value: string | Blob): FormData {
  data.append(name, value as string);
  return data;
}
