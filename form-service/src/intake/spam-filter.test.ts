import { describe, expect, it } from '@jest/globals';
import type { SpamReason } from '../submissions/submission.ts';
import { contentReasons, scoreOf, SpamFilter, THRESHOLD, WEIGHTS } from './spam-filter.service.ts';

const links = (count: number) => Array.from({ length: count }, (_, index) => `https://site${index}.example/`).join(' ');

const reasonsOf = (fields: Readonly<Record<string, string>>) => contentReasons({ form: 'contact', fields });

describe('spam signals > contentReasons', () => {
  it.each<[string, Record<string, string>, SpamReason[]]>([
    ['an ordinary enquiry', { name: 'Ada', message: 'We need a website, 5 < 6 & all that.' }, []],
    [
      'a text about the web',
      { message: 'Our script onboards users; www is down; use javascript, http and iframes' },
      [],
    ],
    ['a few links', { message: links(3) }, ['links']],
    ['many links', { message: links(4) }, ['many links']],
    [
      'links over several fields',
      { name: 'Ada', message: links(2), position: 'www.a.example HTTP://b.example' },
      ['many links'],
    ],
    ['a link for a name', { name: 'Win at https://a.example' }, ['links', 'link in a name or phone number']],
    ['a subject', { message: 'Our casino needs a bonus programme for 100 guests' }, []],
    ['a script', { message: 'see < / SCRIPT >' }, ['markup of a web page']],
    ['a forum link', { message: '[URL=x]y[/URL]' }, ['markup of a web page']],
    ['a link that runs a script', { message: 'see javascript:alert(1)' }, ['markup of a web page']],
    ['a handler', { message: '"onerror =alert(1)' }, ['markup of a web page']],
  ])('finds the expected reasons in %s', (_what, fields, expected) => {
    expect(reasonsOf(fields)).toEqual(expected);
  });

  it.each(['<', '< ', '</', 'onerror ', 'http', 'www.', '<a', '[url'])(
    'takes linear time > 10,000 characters of %j',
    (piece) => {
      const text = piece.repeat(10_000 / piece.length);
      const startedAt = process.cpuUsage();
      reasonsOf({ message: text });
      // A quadratic pattern takes minutes for this; the limit is generous to a busy machine.
      expect(process.cpuUsage(startedAt).user).toBeLessThan(2_000_000);
    },
  );
});

describe('spam signals > weights', () => {
  it('hold back four links with markup', () => {
    expect(scoreOf(reasonsOf({ message: `<a href=x>Cheap</a> ${links(4)}` }))).toBeGreaterThanOrEqual(THRESHOLD);
  });

  it('let only the honeypot quarantine by itself', () => {
    const decisive = (Object.keys(WEIGHTS) as SpamReason[]).filter((one) => scoreOf([one]) >= THRESHOLD);
    expect(decisive).toEqual(['honeypot filled']);
  });

  it('let a person show code and link to an example', () => {
    expect(
      scoreOf(reasonsOf({ name: 'Ada', message: `<script>alert(1)</script> fails, see ${links(3)}` })),
    ).toBeLessThan(THRESHOLD);
  });
});

describe('SpamFilter', () => {
  const reasonsFor = (
    message: string,
    { ofToken = undefined as SpamReason | undefined, filledHoneypot = false } = {},
  ) =>
    new SpamFilter({ reasonOf: async () => ofToken } as never).reasonsFor(
      { form: 'contact', fields: { message } },
      { client: 'a-client', filledHoneypot, formToken: 'token' },
    );

  it('quarantines for the honeypot, and names all other signals', async () => {
    expect(await reasonsFor('Hello')).toEqual([]);
    expect(await reasonsFor('Hello', { filledHoneypot: true })).toEqual(['honeypot filled']);
    expect(await reasonsFor('https://a.example', { filledHoneypot: true })).toEqual(['honeypot filled', 'links']);
  });

  it.each(['sent within seconds', 'form token not ours', 'form token of long ago'] as const)(
    'accepts a submission > "%s" is the only signal',
    async (ofToken) => {
      expect(await reasonsFor('Hello', { ofToken })).toEqual([]);
    },
  );

  it('quarantines a submission sent within seconds > another signal', async () => {
    const ofToken = 'sent within seconds';
    expect(await reasonsFor('See <script src=x>', { ofToken })).toEqual(['markup of a web page', ofToken]);
  });
});
