import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { notesOf } from '../submissions/notes.ts';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { cookiesOf, InboxBrowser, InboxClient, inboxUsers } from '../../test/inbox-client.ts';
import { storeEnquiry } from '../../test/submissions.ts';
import { words } from '../../test/words.ts';
import { MINUTE_MS } from '../config/durations.ts';
import { Log, type LogFields } from '../observability/log.ts';

const NOTE = `Called on Monday: "call back" & <b>offer</b>\nby Friday`;
const TLS = {
  Host: 'www.kitewright.example',
  'X-Forwarded-Host': 'www.kitewright.example',
  'X-Forwarded-Proto': 'https',
  Origin: 'https://www.kitewright.example',
};

let stack: DeliveryStack;
let client: InboxClient;
let id: string;

beforeAll(async () => {
  stack = await DeliveryStack.start({ settings: { INBOX_USERS: await inboxUsers({ sam: 'sales', ada: 'all' }) } });
  const worker = (await stack.startWorker()) as INestApplication;
  await worker.listen(0, '127.0.0.1');
  client = new InboxClient(`http://127.0.0.1:${(worker.getHttpServer().address() as AddressInfo).port}`);
});

beforeEach(async () => {
  id = await storeEnquiry(stack, {}, { quarantined: true });
});

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(() => stack.close());

const later = (ms: number) => {
  const now = Date.now();
  return jest.spyOn(Date, 'now').mockReturnValue(now + ms);
};
const noteOf = async (of = id) => {
  const submission = await stack.submissions.find(of);
  return submission && (notesOf(submission).at(-1)?.text ?? '');
};
/** Text in the field of the note. */
const fieldOf = ({ text }: { text: string }) =>
  /<textarea [^>]*id="note"[^>]*>([^]*?)<\/textarea>/
    .exec(text)?.[1]
    ?.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
const isRestored = (page: { text: string }) => page.text.includes(words.inbox.submission.noteNotSaved);

/** Ends all sessions of the browser's user on another device. The browser keeps its cookie. */
const endElsewhere = (browser: InboxBrowser) =>
  client.call('/inbox/sign-out', { method: 'POST', headers: { Cookie: `inbox=${browser.cookies.get('inbox')}` } });

/** A browser whose session has ended while a note was typed on the page of a submission. */
async function withEndedSession(user = 'sam'): Promise<InboxBrowser> {
  const browser = new InboxBrowser(client);
  await browser.signIn(user);
  await endElsewhere(browser);
  return browser;
}

const saveNote = (browser: InboxBrowser, note = NOTE, of = id) =>
  browser.open(`/inbox/${of}/note`, { method: 'POST', body: { note: note.replaceAll('\n', '\r\n'), back: '/inbox' } });

describe('inbox > note in an ended session', () => {
  it.each([
    ['signed out on another device', (browser: InboxBrowser) => endElsewhere(browser)],
    ['two hours without a request', async () => later(121 * MINUTE_MS)],
    ['12 hours', async () => later(12 * 60 * MINUTE_MS)],
  ])('is back in its field after the sign-in, and saved by a press > %s', async (_, end) => {
    const browser = new InboxBrowser(client);
    expect(isRestored(await browser.signIn('sam', `/inbox/${id}`))).toBe(false);
    await end(browser);
    const signIn = await saveNote(browser);
    expect(signIn.path).toBe(`/inbox/sign-in?${new URLSearchParams({ to: `/inbox/${id}#note`, ended: 'yes' })}`);
    expect(signIn.text).toContain(words.signIn.noteKept);
    expect(signIn.text).not.toContain('Monday');
    // A slip in the password keeps it.
    const wrong = { name: 'sam', password: 'wrong', to: `/inbox/${id}#note` };
    expect((await browser.open('/inbox/sign-in', { method: 'POST', body: wrong })).status).toBe(403);
    const page = await browser.signIn('sam', `/inbox/${id}#note`);
    expect([page.path, isRestored(page), fieldOf(page)]).toEqual([`/inbox/${id}#note`, true, NOTE]);
    expect(await noteOf()).toBe('');
    const saved = await saveNote(browser);
    expect([saved.path, isRestored(saved), await noteOf()]).toEqual([`/inbox/${id}`, false, NOTE]);
    expect(browser.cookies.has('inbox-draft')).toBe(false);
  });

  it('is shown on its own page only, and stays until it is saved', async () => {
    const browser = await withEndedSession();
    await saveNote(browser);
    const other = await storeEnquiry(stack);
    expect(isRestored(await browser.signIn('sam', `/inbox/${other}`))).toBe(false);
    await saveNote(browser, 'Another one', other);
    expect(fieldOf(await browser.open(`/inbox/${id}`))).toBe(NOTE);
  });

  it('is gone > 15 minutes have passed', async () => {
    const browser = await withEndedSession();
    await saveNote(browser);
    later(14 * MINUTE_MS);
    expect((await browser.open('/inbox/sign-in')).text).toContain(words.signIn.noteKept);
    jest.restoreAllMocks();
    later(15 * MINUTE_MS);
    expect((await browser.open('/inbox/sign-in')).text).not.toContain(words.signIn.noteKept);
    expect(isRestored(await browser.signIn('sam', `/inbox/${id}`))).toBe(false);
    expect(browser.cookies.has('inbox-draft')).toBe(false);
  });

  it('is neither shown to another user nor kept for the next one', async () => {
    const browser = await withEndedSession();
    await saveNote(browser);
    const page = await browser.signIn('ada', `/inbox/${id}`);
    expect([page.path, isRestored(page), page.text.includes('by Friday')]).toEqual([`/inbox/${id}`, false, false]);
    expect(browser.cookies.has('inbox-draft')).toBe(false);
    expect(isRestored(await browser.signIn('sam', `/inbox/${id}`))).toBe(false);
  });

  it('is removed > its author signs out', async () => {
    const browser = await withEndedSession();
    await saveNote(browser);
    await browser.signIn('sam');
    await browser.call('/inbox/sign-out', { method: 'POST' });
    expect(browser.cookies.has('inbox-draft')).toBe(false);
  });

  it('is removed without a word > its cookie was edited', async () => {
    const browser = await withEndedSession();
    await saveNote(browser);
    const draft = browser.cookies.get('inbox-draft') ?? '';
    await browser.signIn('sam');
    const flipped = (at: number) => draft.slice(0, at) + (draft[at] === 'A' ? 'B' : 'A') + draft.slice(at + 1);
    const session = browser.cookies.get('inbox') ?? '';
    for (const edited of [flipped(0), flipped(20), flipped(60), draft.slice(0, -4), draft.slice(0, 30), '.', session]) {
      browser.cookies.set('inbox-draft', edited);
      const page = await browser.open(`/inbox/${id}`);
      expect([edited, page.status, isRestored(page)]).toEqual([edited, 200, false]);
      expect(browser.cookies.has('inbox-draft')).toBe(false);
    }
    browser.cookies.set('inbox-draft', draft);
    expect(isRestored(await browser.open(`/inbox/${id}`))).toBe(true);
  });

  it.each([
    ['no session', () => ''],
    ['a session of another key', (cookie: string) => cookie.replace(/[^.]*$/, (mac) => [...mac].toReversed().join(''))],
    ['a session of another user', (cookie: string) => cookie.replace(/^[^.]*/, nameAda)],
    ['a session without the second MAC', (cookie: string) => cookie.replace(/\.[^.]*$/, '')],
  ])('is shown to be copied, and not kept > %s', async (_, edit) => {
    const browser = await withEndedSession();
    browser.cookies.set('inbox', edit(browser.cookies.get('inbox') ?? ''));
    const page = await saveNote(browser);
    expect([page.status, fieldOf(page), browser.cookies.has('inbox-draft')]).toEqual([403, NOTE, false]);
    expect(page.text).toContain(words.signIn.copyNote);
  });

  it.each(['ü', '漢', '"', '😀'])('is shown to be copied > more than a cookie holds, of %j', async (text) => {
    const browser = await withEndedSession();
    const note = text.repeat(1_500 / text.length);
    const page = await saveNote(browser, note);
    expect([page.status, fieldOf(page), browser.cookies.has('inbox-draft')]).toEqual([403, note, false]);
    expect(page.text).toContain(`href="/inbox/sign-in?to=%2Finbox%2F${id}%23note&#38;ended=yes"`);
  });

  it('is shown to be copied > another tab has one already, which is kept', async () => {
    const other = await storeEnquiry(stack, {}, { quarantined: true });
    const browser = await withEndedSession();
    await saveNote(browser);
    for (const [of, text] of [
      [other, 'Of another page'],
      [id, 'Of the same page'],
    ] as const)
      expect(fieldOf(await saveNote(browser, text, of))).toBe(text);
    // The second click on the first one.
    expect((await saveNote(browser)).text).toContain(words.signIn.noteKept);
    expect(fieldOf(await browser.signIn('sam', `/inbox/${id}#note`))).toBe(NOTE);
  });

  it.each([
    ['an empty note', 'note', ' \n'],
    ['another form', 'send', NOTE],
    ['a mark', 'mark', NOTE],
  ])('is not kept, and the page says so > %s', async (_, action, note) => {
    const browser = await withEndedSession();
    const page = await browser.open(`/inbox/${id}/${action}`, { method: 'POST', body: { note } });
    expect([page.text.includes(words.signIn.ended), browser.cookies.has('inbox-draft')]).toEqual([true, false]);
  });

  it('is not kept for another site', async () => {
    const browser = await withEndedSession();
    const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
    const answer = await browser.call(`/inbox/${id}/note`, { method: 'POST', body: { note: NOTE }, headers });
    expect([answer.status, browser.cookies.has('inbox-draft')]).toEqual([403, false]);
    expect(answer.text).toContain(words.signIn.otherSite);
  });

  it.each(['😀', '"', '\\', 'ü', 'a\n'])('fits in a cookie > 500 characters of %j', async (text) => {
    const browser = await withEndedSession();
    const note = text.repeat(500 / [...text].length).trim();
    const answer = await browser.call(`/inbox/${id}/note`, { method: 'POST', body: { note } });
    const [cookie = ''] = [answer.headers['set-cookie'] ?? ''].flat();
    expect([cookie.startsWith('inbox-draft='), cookie.length < 4_096]).toEqual([true, true]);
    const page = await browser.signIn('sam', `/inbox/${id}`);
    expect(fieldOf(page)).toBe(note);
  });

  it('is sealed, and in no log line', async () => {
    const lines: LogFields[] = [];
    for (const level of ['log', 'warn', 'error'] as const)
      jest.spyOn(Log.prototype, level).mockImplementation((fields) => void lines.push(fields));
    const browser = await withEndedSession();
    await saveNote(browser);
    const draft = browser.cookies.get('inbox-draft') ?? '';
    const readable = [draft, Buffer.from(draft, 'base64url').toString('latin1'), JSON.stringify(lines)].join();
    for (const secret of ['Monday', 'Friday', id]) expect(readable).not.toContain(secret);
    // The same text twice is not the same cookie.
    await saveNote(browser);
    expect(browser.cookies.get('inbox-draft')).not.toBe(draft);
  });

  it('has a cookie that scripts, other sites and plain HTTP do not get', async () => {
    const browser = new InboxBrowser(client, TLS);
    await browser.signIn('sam');
    const headers = { ...TLS, Cookie: `__Host-inbox=${browser.cookies.get('__Host-inbox')}` };
    await client.call('/inbox/sign-out', { method: 'POST', headers });
    const answer = await browser.call(`/inbox/${id}/note`, { method: 'POST', body: { note: NOTE } });
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-inbox-draft=[\w-]+; Max-Age=900; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
    expect(isRestored(await browser.signIn('sam', `/inbox/${id}`))).toBe(true);
  });

  it('leaves an ended session ended', async () => {
    const browser = await withEndedSession();
    const cookie = `inbox=${browser.cookies.get('inbox')}`;
    await saveNote(browser);
    expect((await client.call('/inbox', { headers: { Cookie: cookie } })).status).toBe(303);
    expect(cookiesOf(await client.call('/inbox', { headers: { Cookie: cookie } }))).toBe('');
  });
});

/** Replaces the name in the content of a session. */
function nameAda(content: string): string {
  const session = JSON.parse(Buffer.from(content, 'base64url').toString()) as object;
  return Buffer.from(JSON.stringify({ ...session, name: 'ada' })).toString('base64url');
}
