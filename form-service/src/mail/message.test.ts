import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { MAIL_SETTINGS } from '../../test/mail-examples.ts';
import { composeMessage } from './mailer.service.ts';
import type { Mail } from './mails/mail.ts';

const composed = async (mail: Mail, file?: Readable) =>
  buffer((await composeMessage(mail, MAIL_SETTINGS, file)).message);
const envelope = { to: 'hr@firm.example', subject: 'Application', messageId: '<KW-1@firm.example>', requestId: 'abc' };
const html = (text: string) => `<p>${text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)}</p>`;
const chunksOf = (bytes: Buffer, size: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size)),
  );
/** Texts that validation accepts: no control characters except line feeds. */
const anyText = fc
  .string({ unit: 'grapheme', maxLength: 400 })
  .map((text) => text.replace(/[\p{Cc}\u2028\u2029]/gu, '\n').normalize('NFC'));

describe('composeMessage', () => {
  it('keeps any text as it was typed, in both parts', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const raw = await composed({ ...envelope, text, html: html(text) });
        const parsed = await simpleParser(raw, { skipHtmlToText: true, skipTextToHtml: true, skipTextLinks: true });
        expect((parsed.text ?? '').trimEnd()).toBe(text.trimEnd());
        const shown = String(parsed.html).replace(/&#(\d+);/g, (_entity, code) => String.fromCodePoint(Number(code)));
        expect(shown.replace(/\r\n/g, '\n').trimEnd()).toBe(`<p>${text}</p>`.trimEnd());
      }),
    );
  });

  it.each([
    ['short lines of ASCII', 'Hello.\nBye.', '7bit'],
    ['a line longer than RFC 5321 allows', 'word '.repeat(300), 'quoted-printable'],
    ['some accents', 'Déjà vu in a long sentence of plain words', 'quoted-printable'],
    ['text without ASCII', 'שלום עולם שלום עולם', 'base64'],
  ])('chooses the encoding that spam filters prefer > %s', async (_what, text, encoding) => {
    const head = (await composed({ ...envelope, text, html: '<p>x</p>' })).toString('latin1');
    expect(/text\/plain[^]*?Content-Transfer-Encoding: (\S+)/.exec(head)?.[1]).toBe(encoding);
    expect(Math.max(...head.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
    expect(head).not.toMatch(/[^\r]\n/);
  });

  it('shows an encoded word in subject and name as it was typed', async () => {
    const [subject, name] = ['=?utf-8?q?Invoice?=', '=?utf-8?q?Boss?='];
    const replyTo = { name, address: 'ada@visitor.example' };
    const parsed = await simpleParser(await composed({ ...envelope, subject, replyTo, text: 'x', html: '<p>x</p>' }));
    expect(parsed.subject?.replaceAll('\u2060', '')).toBe(subject);
    expect(parsed.replyTo?.value[0]?.name.replaceAll('\u2060', '')).toBe(name);
  });

  it('quotes an unusual address in Reply-To', async () => {
    const replyTo = { name: 'José', address: 'user.@docomo.ne.jp' };
    const raw = await composed({ ...envelope, replyTo, text: 'x', html: '<p>x</p>' });
    expect(raw.toString('latin1')).toMatch(/^Reply-To: .*<"user\."@docomo\.ne\.jp>\r?$/m);
  });

  it('keeps the file byte for byte > any size', async () => {
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
        const mail = { ...envelope, text: 'Hello.', html: '<p>Hello.</p>', attachment };
        const raw = await composed(mail, chunksOf(bytes, pieces));
        const [file] = (await simpleParser(raw)).attachments;
        expect(file).toMatchObject({ filename: 'résumé.pdf', contentType: 'application/pdf' });
        expect(file?.content.equals(bytes)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});
