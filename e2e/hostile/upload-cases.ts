import { pdf } from '../../form-service/test/corpus/pdf.ts';
import { resumeCorpus } from '../../form-service/test/corpus/resumes.ts';
import { expectAnswer, GOOD_APPLICATION, MARKER, postForm, type HostileCase } from './hostile-case.ts';
import { requestOf, sendRaw, type Reply } from './wire.ts';

const BOUNDARY = 'kitewright-boundary';

/** Every file of the corpus, each with the answer that it must get. */
const corpusCases: HostileCase[] = resumeCorpus.map(({ what, name, type, bytes, status }) => ({
  name: `résumé: ${what}`,
  run: async (target) => expectAnswer(await postForm(target, applicationForm([[name, type, bytes()]])), [status]),
}));

/** Bodies that are not what they say. */
const brokenBodies: HostileCase[] = [
  {
    name: 'upload: two files',
    run: async (target) =>
      expectAnswer(await postForm(target, applicationForm([pdfNamed('a.pdf'), pdfNamed('b.pdf')])), [400, 413, 422]),
  },
  { name: 'upload: no file', run: async (target) => expectAnswer(await postForm(target, applicationForm([])), [422]) },
  {
    name: 'upload: a file under another field',
    run: async (target) =>
      expectAnswer(await postForm(target, applicationForm([pdfNamed('a.pdf')], 'photo')), [400, 413, 422]),
  },
  {
    name: 'upload: 1,000 fields',
    async run(target) {
      const form = applicationForm([]);
      for (let index = 0; index < 1_000; index++) form.append(`field${index}`, MARKER);
      return expectAnswer(await postForm(target, form), [400, 413, 422]);
    },
  },
  {
    name: 'upload: 100,000 parts of nothing',
    run: async ({ port }) =>
      refused(
        await sendRaw(
          port,
          multipart(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n`.repeat(100_000)),
        ),
        true,
      ),
  },
  {
    name: 'upload: 20,000 parts that are files of nothing',
    run: async ({ port }) =>
      refused(
        await sendRaw(
          port,
          multipart(
            `--${BOUNDARY}\r\nContent-Disposition: form-data; name="resume"; filename="${MARKER}.pdf"\r\n\r\n\r\n`.repeat(
              20_000,
            ),
          ),
        ),
        true,
      ),
  },
  {
    name: 'upload: a part with 5,000 headers',
    run: async ({ port }) =>
      refused(
        await sendRaw(port, multipart(`--${BOUNDARY}\r\n${'X-Thing: a\r\n'.repeat(5_000)}\r\n${MARKER}\r\n`)),
        true,
      ),
  },
  {
    name: 'upload: a part whose head is 5 MB',
    run: async ({ port }) =>
      refused(
        await sendRaw(
          port,
          multipart(
            `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${'a'.repeat(5_000_000)}"\r\n\r\n${MARKER}\r\n`,
          ),
        ),
        true,
      ),
  },
  {
    name: 'upload: 5 MB before the first part',
    run: async ({ port }) => refused(await sendRaw(port, multipart(`${MARKER.repeat(300_000)}\r\n`)), true),
  },
  {
    name: 'upload: parts within a part',
    run: async ({ port }) =>
      refused(
        await sendRaw(
          port,
          multipart(
            `--${BOUNDARY}\r\nContent-Disposition: form-data; name="resume"\r\nContent-Type: multipart/mixed; boundary=inner\r\n\r\n--inner\r\n\r\n${MARKER}\r\n--inner--\r\n`,
          ),
        ),
      ),
  },
  {
    name: 'upload: file names in two encodings',
    run: async ({ port }) =>
      refused(
        await sendRaw(
          port,
          multipart(
            `--${BOUNDARY}\r\nContent-Disposition: form-data; name="resume"; filename="a.pdf"; filename*=UTF-7''%2BADw-${MARKER}.pdf\r\nContent-Type: application/pdf\r\n\r\nhello\r\n`,
          ),
        ),
      ),
  },
  {
    name: 'upload: lines that end in LF alone',
    run: async ({ port }) => refused(await sendRaw(port, multipart(filePart().replaceAll('\r\n', '\n'))), true),
  },
  {
    name: 'upload: a boundary of 4 kB',
    run: async ({ port }) =>
      refused(
        await sendRaw(
          port,
          multipart(filePart(), { contentType: `multipart/form-data; boundary=${'b'.repeat(4_000)}` }),
        ),
      ),
  },
  {
    name: 'upload: a field of 1 MB',
    async run(target) {
      const form = applicationForm([pdfNamed('a.pdf')]);
      form.set('coverLetter', MARKER.repeat(65_000));
      return expectAnswer(await postForm(target, form), [400, 413, 422]);
    },
  },
  {
    name: 'upload: fields that reach for the prototype',
    async run(target) {
      const form = applicationForm([pdfNamed('a.pdf')]);
      for (const name of [
        '__proto__',
        'constructor',
        'constructor[prototype][polluted]',
        '__proto__[polluted]',
        'toString',
      ])
        form.append(name, MARKER);
      return expectAnswer(await postForm(target, form), [202, 400, 413, 422]);
    },
  },
  {
    name: 'upload: hostile file names',
    async run(target) {
      for (const name of [
        `../../../etc/${MARKER}.pdf`,
        `a\u0000${MARKER}.pdf`,
        `${MARKER}\u202Efdp.exe.pdf`,
        `${'x'.repeat(5_000)}.pdf`,
        `"; rm -rf / ".pdf`,
      ]) {
        const wrong = await expectAnswer(
          await postForm(target, applicationForm([pdfNamed(name)])),
          [202, 400, 413, 415, 422],
        );
        if (wrong !== undefined) return wrong;
      }
      return undefined;
    },
  },
  {
    name: 'upload: a wrong boundary',
    run: async ({ port }) =>
      refused(await sendRaw(port, multipart(filePart(), { contentType: 'multipart/form-data; boundary=another' }))),
  },
  {
    name: 'upload: no boundary',
    run: async ({ port }) =>
      refused(await sendRaw(port, multipart(filePart(), { contentType: 'multipart/form-data' }))),
  },
  {
    name: 'upload: an end that never comes',
    run: async ({ port }) => refused(await sendRaw(port, multipart(filePart(), { closing: '' }))),
  },
  {
    name: 'upload: a part without a head',
    run: async ({ port }) => refused(await sendRaw(port, multipart(`--${BOUNDARY}\r\n\r\n${MARKER}\r\n`))),
  },
  {
    name: 'upload: a client that hangs up half way',
    async run({ port }) {
      const whole = Buffer.from(multipart(filePart(2_000_000)), 'latin1');
      await Promise.all(
        [0.2, 0.5, 0.8, 0.99].map((share) => sendRaw(port, whole.subarray(0, whole.length * share), { hangUp: true })),
      );
      return undefined;
    },
  },
  {
    name: 'upload: chunked, with no length, 12 MB',
    async run({ port }) {
      const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`;
      const head = requestOf('POST /api/resume HTTP/1.1', [
        'Host: a',
        'Connection: close',
        'Accept: application/json',
        `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
        'Transfer-Encoding: chunked',
      ]);
      const opening = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="resume"; filename="${MARKER}.pdf"\r\nContent-Type: application/pdf\r\n\r\n`;
      return refused(
        await sendRaw(port, `${head}${opening.length.toString(16)}\r\n${opening}\r\n${chunk.repeat(12)}0\r\n\r\n`),
        true,
      );
    },
  },
];

export const uploadCases: readonly HostileCase[] = [...corpusCases, ...brokenBodies];

function applicationForm(
  files: readonly (readonly [name: string, type: string, bytes: Buffer])[],
  field = 'resume',
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(GOOD_APPLICATION)) form.append(name, value);
  for (const [name, type, bytes] of files) form.append(field, new Blob([new Uint8Array(bytes)], { type }), name);
  return form;
}

function pdfNamed(name: string): [string, string, Buffer] {
  return [name, 'application/pdf', pdf(20_000)];
}

function filePart(size = 20_000): string {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="resume"; filename="${MARKER}.pdf"\r\nContent-Type: application/pdf\r\n\r\n`;
  return `${head}${pdf(size).toString('latin1')}\r\n`;
}

function multipart(
  parts: string,
  { contentType = `multipart/form-data; boundary=${BOUNDARY}`, closing = `--${BOUNDARY}--\r\n` } = {},
): string {
  const body = parts + closing;
  return requestOf(
    'POST /api/resume HTTP/1.1',
    [
      'Host: a',
      'Connection: close',
      'Accept: application/json',
      `Content-Type: ${contentType}`,
      `Content-Length: ${body.length}`,
    ],
    body,
  );
}

/** A 4xx in JSON, or, where the server stops reading a body that is far too large, the end of the connection. */
function refused({ statuses, text, isOpen }: Reply, mayHangUp = false): string | undefined {
  if (isOpen) return 'the connection stays open';
  const [status] = statuses;
  if (status === undefined) return mayHangUp ? undefined : 'no answer';
  if (status < 400 || status >= 500) return `status ${status}`;
  return text.includes('"success":false') && !text.includes(MARKER) ? undefined : 'no readable refusal';
}
