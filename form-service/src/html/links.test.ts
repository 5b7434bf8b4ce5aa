import { describe, expect, it } from '@jest/globals';
import { inboxPage } from './links.ts';

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
