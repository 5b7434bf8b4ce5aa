import { describe, expect, it } from '@jest/globals';
import type { SpamReason } from '../submissions/submission.ts';
import { contentReasons, scoreOf, THRESHOLD, WEIGHTS } from './signals.ts';

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
  it('let only the honeypot quarantine by itself', () => {
    const decisive = (Object.keys(WEIGHTS) as SpamReason[]).filter((one) => scoreOf([one]) >= THRESHOLD);
    expect(decisive).toEqual(['honeypot filled']);
  });

  it('quarantine many links with markup > no form token', () => {
    expect(scoreOf(reasonsOf({ message: `<a href=x>Cheap</a> ${links(4)}` }))).toBe(THRESHOLD);
  });

  it('let a person show code and link to an example', () => {
    expect(
      scoreOf(reasonsOf({ name: 'Ada', message: `<script>alert(1)</script> fails, see ${links(3)}` })),
    ).toBeLessThan(THRESHOLD);
  });
});
