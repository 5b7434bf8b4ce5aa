import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { base64Octets, composed, withFile } from './message.ts';

const from = { name: 'Firm website', address: 'no-reply@firm.example' };
const envelope = { to: 'hr@firm.example', subject: 'Application', messageId: '<KW-1@firm.example>', requestId: 'abc' };
const html = (text: string) => `<p>${text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)}</p>`;
const chunksOf = (bytes: Buffer, size: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size)),
  );
/** Texts that a contract lets through: no control characters but line feeds. */
const anyText = fc
  .string({ unit: 'grapheme', maxLength: 400 })
  .map((text) => text.replace(/[\p{Cc}\u2028\u2029]/gu, '\n').normalize('NFC'));

describe('A composed message', () => {
  it('Any text arrives as it was typed, in the text part and in the HTML part', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const { head } = composed({ ...envelope, text, html: html(text) }, from);
        const parsed = await simpleParser(head, { skipHtmlToText: true, skipTextToHtml: true, skipTextLinks: true });
        expect((parsed.text ?? '').trimEnd()).toBe(text.trimEnd());
        const shown = String(parsed.html).replace(/&#(\d+);/g, (_entity, code) => String.fromCodePoint(Number(code)));
        expect(shown.replace(/\r\n/g, '\n').trimEnd()).toBe(`<p>${text}</p>`.trimEnd());
      }),
    );
  });

  it.each([
    ['short lines of ASCII', 'Hello.\nBye.', '7bit'],
    ['a line that is longer than a mail server must take', 'word '.repeat(300), 'quoted-printable'],
    ['some accents', 'Déjà vu in a long sentence of plain words', 'quoted-printable'],
    ['a script of its own', 'שלום עולם שלום עולם', 'base64'],
  ])('%s are sent in the encoding that filters like best', (_what, text, encoding) => {
    const { head } = composed({ ...envelope, text, html: '<p>x</p>' }, from);
    expect(/text\/plain[^]*?Content-Transfer-Encoding: (\S+)/.exec(head)?.[1]).toBe(encoding);
    expect(Math.max(...head.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
    expect(head).not.toMatch(/[^\r]\n/);
  });

  it('A file of any size, read in pieces of any size, arrives byte for byte, and the size was known before', async () => {
    const sizes = fc.integer({ min: 0, max: 2_000 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 300 }), async (size, pieces) => {
        const bytes = Buffer.from(Array.from({ length: size }, (_, index) => (index * 31) % 256));
        const attachment = {
          filename: 'résumé.pdf',
          mediaType: 'application/pdf',
          size,
          open: async () => chunksOf(bytes, pieces),
        };
        const parts = composed({ ...envelope, text: 'Hello.', html: '<p>Hello.</p>', attachment }, from);
        const raw = await buffer(Readable.from(withFile(parts, chunksOf(bytes, pieces)), { objectMode: false }));
        expect(raw.length).toBe(parts.head.length + parts.tail.length + base64Octets(size));
        const [file] = (await simpleParser(raw)).attachments;
        expect(file).toMatchObject({ filename: 'résumé.pdf', contentType: 'application/pdf' });
        expect(file?.content.equals(bytes)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});
