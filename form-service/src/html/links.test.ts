import { describe, expect, it } from '@jest/globals';
import { cpuMilliseconds } from '../../test/cpu-time.ts';
import { LINE_MAX_CHARS } from '../contract/protocol.ts';
import { telephoneUrl, inboxPage } from './links.ts';

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

describe('telephoneUrl', () => {
  it.each([
    ['  +351 21\u00a0555\t0142 ', 'tel:+351215550142'],
    ['020 7946 0018  x  12', 'tel:02079460018;ext=12'],
    ['020 7946 0018 #7', 'tel:02079460018;ext=7'],
    ['030 \u2013 555 0142', 'tel:0305550142'],
  ])('returns the URL > %j', (phone, url) => {
    expect(telephoneUrl(phone)).toBe(url);
  });

  it.each(['1234', '+1 23', '1234567890123456', '020 7946 0018 / 020 7946 0019', 'after 6 pm: 020 7946 0018', ''])(
    'returns undefined > %j',
    (phone) => {
      expect(telephoneUrl(phone)).toBeUndefined();
    },
  );

  it.each([
    ['blanks', ' '],
    ['digits', '1'],
    ['digits and blanks', '1 '],
    ['separators', '-/'],
    ['brackets', '('],
    ['extensions', ' x 1'],
  ])('takes less than 5 ms of CPU time > 200 characters of %s', (_what, piece) => {
    const phone = piece.repeat(LINE_MAX_CHARS).slice(0, LINE_MAX_CHARS - 1);
    expect(cpuMilliseconds(() => telephoneUrl(`${phone}z`))).toBeLessThan(5);
  });
});
