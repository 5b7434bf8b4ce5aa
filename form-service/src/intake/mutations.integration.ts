import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pdf } from '../../test/corpus/pdf.ts';
import { freePort } from '../../test/free-port.ts';
import { rawRequest, sendRaw } from '../../test/raw-request.ts';
import { sampled } from '../../test/sample.ts';
import { ServiceProcess } from '../../test/service-process.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { Database } from '../database/database.ts';
import { openFileStorage } from '../files/file-storage.ts';
import { SERVICE } from '../../test/services.ts';

/** Stands for personal data: part of every field, file name, query string and header that is sent. */
const MARKER = 'zqPrivateMarkerQz';
const KEY = `Idempotency-Key: ${MARKER}`;
const MUTATIONS = sampled(750, 250);
const AT_ONCE = 48;
/** Time after which a connection without a response counts as open. Longer than the api needs under load. */
const SILENCE_MS = 5_000;

const person = { email: `${MARKER}@visitor.example` };
const contact = { ...person, name: `Name ${MARKER}`, service: SERVICE, message: `It says ${MARKER}.` };
const application = { ...person, fullName: `Name ${MARKER}`, coverLetter: MARKER };

const post = (path: string, type: string, body: string) => {
  const token = 'Form-Token: mwq8hc7e.CvcBl7TMjJQ-.SL4y1BPijAIFrnToDlhmSQ';
  const headers = ['Host: a', 'Connection: close', KEY, token, `Content-Type: ${type}`];
  return rawRequest(`POST ${path}?${MARKER} HTTP/1.1`, [...headers, `Content-Length: ${body.length}`], body);
};

const part = (disposition: string, content: string) =>
  `--fuzz\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
const form = [
  ...Object.entries(application).map(([name, value]) => part(`name="${name}"`, value)),
  part(`name="resume"; filename="${MARKER}.pdf"`, pdf(2_000).toString('latin1')),
  '--fuzz--\r\n',
].join('');

const VALID = [
  post('/api/contact', 'application/json', JSON.stringify(contact)),
  post('/api/contact', 'application/x-www-form-urlencoded', String(new URLSearchParams(contact))),
  post('/api/resume', 'multipart/form-data; boundary=fuzz', form),
  rawRequest('GET /api/form-token HTTP/1.1', ['Host: a', 'Connection: close', `If-None-Match: "${MARKER}"`]),
].map((request) => Buffer.from(request, 'latin1'));

/** Byte sequences that are known to confuse parsers. */
const TOKENS = [
  'A'.repeat(3_000),
  '['.repeat(20_000),
  'X-Thing: a\r\n'.repeat(2_000),
  '\0',
  '\r\n',
  '\r\n\r\n',
  '\n',
  '\xff\xfe',
  ...'%00 % & = [] { } " \\ \\u0000 \\ud800 ../ __proto__ ; : -- chunked -1 1e999 \xed\xa0\x80'.split(' '),
].map((token) => Buffer.from(token, 'latin1'));

interface Edit {
  readonly kind: 'overwrite' | 'cut' | 'repeat' | 'insert' | 'end';
  readonly at: number;
  readonly within: number;
  readonly bytes: Uint8Array;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom('overwrite', 'cut', 'repeat', 'insert', 'end'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  // Most bytes of an upload are the file. Every second edit is near the beginning, where the structure is.
  within: fc.constantFrom(600, Infinity),
  bytes: fc.oneof(fc.constantFrom(...TOKENS), fc.uint8Array({ minLength: 1, maxLength: 40 })),
});

function edited(request: Buffer, { kind, at, within, bytes }: Edit): Buffer {
  const place = Math.floor(at * Math.min(within, request.length));
  const [before, after] = [request.subarray(0, place), request.subarray(place)];
  const rest = after.subarray(bytes.length);
  if (kind === 'overwrite') return Buffer.concat([before, bytes, rest]);
  if (kind === 'cut') return Buffer.concat([before, rest]);
  if (kind === 'repeat') return Buffer.concat([before, after.subarray(0, bytes.length), after]);
  return kind === 'insert' ? Buffer.concat([before, bytes, after]) : before;
}

/** A valid request with its own idempotency key; with a used key, other content is rejected (409). */
const valid = fc
  .tuple(fc.constantFrom(...VALID), fc.nat())
  .map(([request, number]) => Buffer.from(request.toString('latin1').replace(KEY, `${KEY}${number}`), 'latin1'));

/** A valid request with up to four edits: anywhere, or only in the body, with a matching Content-Length. */
const mutation = fc.tuple(valid, fc.boolean(), fc.array(edit, { maxLength: 4 })).map(([request, isWhole, edits]) => {
  const end = request.indexOf('\r\n\r\n') + 4;
  if (isWhole || end === request.length) return edits.reduce(edited, request);
  const body = edits.reduce(edited, request.subarray(end));
  const head = request.toString('latin1', 0, end).replace(/(?<=^Content-Length: )\d+/m, String(body.length));
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
});

describe('intake > fuzzed requests', () => {
  it('cause no 5xx, and leave no text in logs or responses and no orphaned file', async () => {
    const folder = await temporaryFolder();
    const storage = { DATABASE_URL: `file:${folder.path}/submissions.db`, RESUMES_URL: `file:${folder.path}/resumes` };
    const limits = { RATE_LIMIT_PER_MINUTE: '1000000' };
    const redis = { REDIS_URL: `redis://127.0.0.1:${await freePort()}` };
    const api = await ServiceProcess.start('api', { ...storage, ...limits, ...redis });
    const port = Number(new URL(String(api.url)).port);
    const seed = Date.now() % 1_000_000_000;
    process.stderr.write(`Mutations of requests: seed ${seed}\n`);
    const mutations = fc.sample(mutation, { seed, numRuns: MUTATIONS }).entries();
    const wrong: string[] = [];
    const answered = new Set<number>();
    const send = async () => {
      for (const [number, bytes] of mutations) {
        const { statuses, text, isOpen } = await sendRaw(port, bytes, SILENCE_MS);
        for (const status of statuses) answered.add(status);
        const isBad = isOpen || statuses.some((status) => status >= 500) || text.includes(MARKER);
        if (isBad) wrong.push(`mutation ${number} of seed ${seed}: ${statuses.join()}${isOpen ? ', stays open' : ''}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, send));
    expect(wrong).toEqual([]);
    expect([...answered]).toEqual(expect.arrayContaining([202, 400, 422]));
    expect(await sendRaw(port, VALID[2] ?? '', Infinity)).toMatchObject({
      isOpen: false,
      statuses: [expect.any(Number)],
    });
    expect(api.hasEnded).toBe(false);
    await api.end('SIGTERM');
    expect(api.log).toContain('"event":"accepted"');
    expect(api.log.toLowerCase()).not.toContain(MARKER.toLowerCase());

    const database = await Database.open(storage.DATABASE_URL);
    const rows = await database.run((db) => db.selectFrom('submissions').select('resume').execute());
    await database.close();
    const kept: string[] = [];
    for await (const { key } of (await openFileStorage(storage)).list()) kept.push(key);
    expect(kept.sort()).toEqual(rows.flatMap(({ resume }) => (resume ? [resume.key] : [])).sort());
    await folder.remove();
  });
});
