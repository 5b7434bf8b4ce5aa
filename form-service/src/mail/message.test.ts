import { generateKeyPairSync } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { MAIL_SETTINGS } from '../../test/mail-examples.ts';
import { composeMessage } from './mailer.service.ts';
import type { Mail } from './mails/mail.ts';

const composed = async (mail: Mail, settings = MAIL_SETTINGS) => buffer((await composeMessage(mail, settings)).message);
const envelope = { to: 'hr@firm.example', subject: 'Application', messageId: '<KW-1@firm.example>', requestId: 'abc' };
const html = (text: string) => `<p>${text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)}</p>`;
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

  it('quotes an unusual address in Reply-To', async () => {
    const replyTo = { name: 'José', address: 'user.@docomo.ne.jp' };
    const raw = await composed({ ...envelope, replyTo, text: 'x', html: '<p>x</p>' });
    expect(raw.toString('latin1')).toMatch(/^Reply-To: .*<"user\."@docomo\.ne\.jp>\r?$/m);
  });

  it('is signed by the domain, with the visible headers and the whole body (DKIM)', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const DKIM_PRIVATE_KEY = { domainName: 'firm.example', keySelector: 'mail2026', privateKey: key };
    const replyTo = { name: 'Ada', address: 'ada@visitor.example' };
    const signed = await composed(
      { ...envelope, replyTo, text: 'x', html: '<p>x</p>' },
      { ...MAIL_SETTINGS, DKIM_PRIVATE_KEY },
    );
    const [signature = ''] = /^DKIM-Signature:(?:.|\r\n[ \t])*/m.exec(signed.toString('latin1')) ?? [];
    const tags = new Map(
      signature
        .replace(/\s|^.*?:/g, '')
        .split(';')
        .map((tag) => tag.split(/=(.*)/) as [string, string]),
    );
    expect(['a', 'd', 's', 'l'].map((tag) => tags.get(tag))).toEqual([
      'rsa-sha256',
      'firm.example',
      'mail2026',
      undefined,
    ]);
    const headers = ['from', 'reply-to', 'to', 'subject', 'date', 'message-id', 'content-type'];
    expect(tags.get('h')?.toLowerCase().split(':')).toEqual(expect.arrayContaining(headers));
    expect([tags.get('bh'), tags.get('b')]).toEqual([
      expect.stringMatching(/^.{44}$/),
      expect.stringMatching(/^.{344}$/),
    ]);
  });
});
