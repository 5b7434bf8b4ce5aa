import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { answerUrl, inboxPage } from './links.ts';
import { anyCharacter } from '../../test/any-character.ts';

describe('inboxPage', () => {
  it.each([
    [{}, undefined],
    [{ INBOX_USERS: [] }, 'https://www.acme.test/inbox/KW-0'],
    [{ INBOX_USERS: [], INBOX_URL: 'https://inbox.acme.test/' }, 'https://inbox.acme.test/inbox/KW-0'],
    [{ INBOX_URL: 'https://inbox.acme.test' }, undefined],
  ])('returns the page on the host of the inbox, or of the site > %j', (settings, url) => {
    expect(inboxPage({ SITE_URL: 'https://www.acme.test', ...settings }, 'KW-0')).toBe(url);
  });
});

const REFERENCE = 'KW-3F9K-Q7TM-X2VD-8HNC';
const MAILTO_MAX_CHARS = 1_800;

describe('answerUrl', () => {
  const partsOf = (url: string) => {
    const { searchParams, pathname } = new URL(url);
    return { to: decodeURIComponent(pathname), subject: searchParams.get('subject'), body: searchParams.get('body') };
  };
  const urlOf = (message: string) => answerUrl('ada@visitor.example', 'Your enquiry', REFERENCE, message);
  const bodyOf = (message: string) => partsOf(urlOf(message)).body;

  it('quotes the message below an empty line', () => {
    expect(partsOf(urlOf('Dear team,\r\n\r\n\r\n\r\nwe need\ta\u2028website & more.\n'))).toEqual({
      to: 'ada@visitor.example',
      subject: `Your enquiry (${REFERENCE})`,
      body: '\r\n\r\n> Dear team,\r\n> \r\n> we need a\r\n> website & more.',
    });
  });

  it.each(['', ' \n\t ', '\u202e\u0000', '\ud800'])('has no body without a message > %j', (message) => {
    expect(urlOf(message)).not.toContain('body');
  });

  it('is cut between words, and between characters without words', () => {
    const words = bodyOf('fifteen letters '.repeat(500));
    expect(words).toMatch(/ (?:fifteen|letters)…$/);
    for (const character of ['字', '🪁', '👩‍🚀', 'e\u0301', '🇵🇹']) {
      const [, quoted = ''] = /^\r\n\r\n> (.*)…$/su.exec(bodyOf(character.repeat(2_000)) ?? '') ?? [];
      expect(quoted).toBe(character.repeat(quoted.length / character.length));
      expect(encodeURIComponent(quoted).length).toBeGreaterThan(1_600);
    }
  });

  it('fits a mail program and has only the quoted message > any text', () => {
    const breaks = fc.constantFrom('\r', '\n', '\r\n', '\v', '\u2028', '&bcc=', '&body=', '%0D%0A', '?', '#', '> ');
    const marks = fc.constantFrom(...'\0\x1b\u202e\u2066\u200f\u061c', '\ud83e', '\udc00', 'e\u0301\u0302');
    const hostile = fc.oneof(breaks, marks, fc.constantFrom(' ', '🪁', '字', '"', 'W'.repeat(2_000)));
    const text = fc
      .array(fc.oneof(hostile, fc.string({ unit: anyCharacter })), { maxLength: 20 })
      .map((all) => all.join(''));
    const emails = fc.constantFrom('a@b.example', `${'字'.repeat(21)}@${'x'.repeat(60)}.example`, '"a b&c"@b.example');
    fc.assert(
      fc.property(emails, text, text, (email, title, message) => {
        const url = answerUrl(email, title, REFERENCE, message);
        expect(url.length).toBeLessThanOrEqual(MAILTO_MAX_CHARS);
        expect(url).toMatch(/^mailto:[\w%.@!'()*~-]+\?subject=[\w%.!'()*~-]*(?:&body=[\w%.!'()*~-]+)?$/);
        const { subject, body } = partsOf(url);
        expect(subject).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Surrogate}]/u);
        expect(subject).toMatch(new RegExp(`\\(${REFERENCE}\\)$`));
        if (body === null) return;
        expect(body).not.toMatch(/(?!\r\n)[\p{Cc}\p{Bidi_Control}\p{Surrogate}](?<!\r\n)/u);
        const [first, second, ...lines] = body.split('\r\n');
        expect([first, second, lines.filter((one) => !one.startsWith('> '))]).toEqual(['', '', []]);
      }),
    );
  });
});
