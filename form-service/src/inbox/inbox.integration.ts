import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger, type INestApplication } from '@nestjs/common';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { notificationsOf } from '../../test/notifications.ts';
import { InboxClient, inboxUsers, type Call } from '../../test/inbox-client.ts';
import { age, newApplication, overwriteFile, storeApplication, storeEnquiry } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { Database } from '../database/database.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { ErasureService, remainderText } from '../submissions/erasure.service.ts';
import { FileStorage } from '../files/file-storage.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { by, words } from '../../test/words.ts';
import { LOCALE } from '../contract/locale.ts';
import { zoneText } from '../html/format.ts';
import { inSentence, STATUS_LABELS, whyHeldBack } from '../submissions/labels.ts';

const { history } = words.submissions;
const { errors, list, submission } = words.inbox;

const BYTES = Buffer.from('%PDF-1.7 the very bytes \0\xff', 'latin1');

let stack: DeliveryStack;
let client: InboxClient;
let worker: INestApplication;

beforeAll(async () => {
  stack = await DeliveryStack.start({
    settings: {
      INBOX_USERS: await inboxUsers({ sam: 'sales', hana: 'hr', ada: 'all', bo: 'all' }),
      SUBMISSION_WEBHOOK_URL: 'http://127.0.0.1:1/',
    },
  });
  worker = (await stack.startWorker()) as INestApplication;
  await worker.listen(0, '127.0.0.1');
  client = new InboxClient(`http://127.0.0.1:${(worker.getHttpServer().address() as AddressInfo).port}`);
});

afterAll(() => stack.close());

const call = (path: string, options?: Call) => client.call(path, options);

/** The address of the page after a list, or before it. */
const linkOf = (text: string, rel: 'next' | 'prev') =>
  new RegExp(`href="([^"]*)" rel="${rel}"`).exec(text)?.[1]?.replaceAll('&#38;', '&');

const held = (fields = {}, reasons = ['many links', 'sent within seconds']) =>
  storeEnquiry(stack, fields, { quarantined: true, reasons });

describe('inbox > role', () => {
  it('answers 404 to sales for applications and to HR for enquiries', async () => {
    const enquiry = await held({ name: 'Only Sales Sees' });
    const application = await storeApplication(stack, BYTES, { quarantined: true, reasons: ['links'] });
    const others = [
      ['sam', application],
      ['hana', enquiry],
    ] as const;
    for (const [user, id] of others) {
      for (const path of [`/inbox/${id}`, `/inbox/${id}/resume`, `/inbox/${id}/erase`])
        expect((await call(path, { user })).status).toBe(404);
      for (const action of ['release', 'resend', 'erase'])
        expect((await call(`/inbox/${id}/${action}`, { user, method: 'POST' })).status).toBe(404);
      for (const path of ['/inbox', `/inbox?q=${id}`, '/inbox/export.csv', `/inbox/export.csv?q=${id}`]) {
        const { text, status } = await call(path, { user });
        expect(status).toBe(200);
        // The page repeats what was searched for.
        expect(text.replaceAll(new RegExp(`="${id}"|q=${id}|${list.text({ text: id })}`, 'g'), '')).not.toContain(id);
      }
      expect(await stack.stateOf(id)).toBe('quarantined');
    }
    expect((await call('/inbox', { user: 'sam' })).text).toContain(enquiry);
    expect((await call('/inbox', { user: 'hana' })).text).toContain(application);
    expect((await call('/inbox', { user: 'ada' })).text).toMatch(new RegExp(`${enquiry}[^]*|${application}`));
  });

  it('downloads a résumé unchanged, shows it nowhere, and notes the user in the history', async () => {
    const id = await storeApplication(stack, BYTES, { quarantined: true, reasons: ['links'] });
    const file = await call(`/inbox/${id}/resume`, { user: 'hana' });
    expect(file.bytes.equals(BYTES)).toBe(true);
    expect(file.headers['content-disposition']).toMatch(/^attachment; filename="r.sum. Ada\.pdf"; filename\*=UTF-8''/);
    expect(file.headers['x-content-type-options']).toBe('nosniff');
    expect((await call(`/inbox/${id}`, { user: 'hana' })).text).toContain(history.downloaded({ by: by('hana') }));
  });

  it('shows a PDF as a page without script, once in the history for each opening', async () => {
    const id = await storeApplication(stack, BYTES, { quarantined: true, reasons: ['links'] });
    const page = `/inbox/${id}/view`;
    expect((await call(`/inbox/${id}`, { user: 'hana' })).text).toContain(`href="${page}">${submission.openFile}`);
    const own = (await call(`/inbox/${id}`, { user: 'hana' })).headers;
    for (let times = 1; times <= 2; times++) {
      const { status, headers, bytes } = await call(page, { user: 'hana', headers: { Range: 'bytes=0-3' } });
      expect([status, bytes.equals(BYTES)]).toEqual([200, true]);
      expect(headers).toMatchObject({
        'content-type': 'application/pdf',
        'content-disposition': expect.stringMatching(/^inline; filename="r.sum. Ada\.pdf"; filename\*=UTF-8''/),
        'cache-control': 'no-store',
        'accept-ranges': 'none',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringMatching(/^default-src 'none'; (?!.*(?:script|sandbox))/),
      });
      for (const name of ['cross-origin-resource-policy', 'cross-origin-opener-policy', 'x-frame-options'])
        expect([name, headers[name]]).toEqual([name, own[name]]);
      const { text } = await call(`/inbox/${id}`, { user: 'hana' });
      expect(text.split(history.downloaded({ by: by('hana') })).length - 1).toBe(times);
    }
  });

  it('shows no other file and no damaged one, which is no download either', async () => {
    const word = { ...newApplication(BYTES).resume, name: 'cv.pdf', mediaType: 'application/msword' };
    const [other, damaged] = [
      await storeApplication(stack, BYTES, { quarantined: true, resume: word }),
      await storeApplication(stack, BYTES, { quarantined: true }),
    ];
    await overwriteFile(stack, damaged, Buffer.from('%PDF-1.7 other bytes'));
    expect((await call(`/inbox/${other}`, { user: 'hana' })).text).not.toContain(submission.openFile);
    for (const [id, status] of [
      [other, 404],
      [damaged, 503],
    ] as const) {
      const answer = await call(`/inbox/${id}/view`, { user: 'hana' });
      expect([answer.status, answer.headers['content-disposition']]).toEqual([status, undefined]);
      expect(answer.headers['content-type']).toContain('text/html');
      expect((await stack.submissions.find(id))?.history).toBe('');
    }
  });

  it.each(['resume', 'view'])('is not downloaded > the request is HEAD > %s', async (path) => {
    const id = await storeApplication(stack, BYTES, { quarantined: true, reasons: ['links'] });
    const logged = jest.spyOn(Logger.prototype, 'log');
    const { status, headers, bytes } = await call(`/inbox/${id}/${path}`, { user: 'hana', method: 'HEAD' });
    expect([status, headers['content-length'], bytes.length]).toEqual([200, String(BYTES.length), 0]);
    expect((await call('/inbox/export.csv', { user: 'hana', method: 'HEAD' })).status).toBe(200);
    expect((await stack.submissions.find(id))?.history).toBe('');
    expect(logged.mock.calls.filter(([line]) => (line as { event?: string }).event === 'exported')).toEqual([]);
    logged.mockRestore();
  });

  it('logs no error and closes the file > the browser ends a download', async () => {
    const id = await storeApplication(stack, Buffer.alloc(9_000_000, '%PDF-1.7 '), { quarantined: true });
    const errors = jest.spyOn(Logger.prototype, 'error');
    const opened = jest.spyOn(worker.get(FileStorage), 'open');
    const headers = { Cookie: await client.sessionOf('hana') };
    const sent = httpRequest(`${client.origin}/inbox/${id}/resume`, { headers }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.once('error', () => undefined).destroy();
    const content = (await opened.mock.results[0]?.value) as Readable;
    await until('the file closed', () => content.closed);
    expect((await call(`/inbox/${id}`, { user: 'hana' })).status).toBe(200);
    // Other worker tasks may log unrelated errors at the same time.
    expect(errors.mock.calls.map(([error]) => String(error)).join()).not.toMatch(/premature/i);
    for (const spy of [errors, opened]) spy.mockRestore();
  });

  it('downloads a file under the last part of its name > the name is a path', async () => {
    const application = { ...newApplication(BYTES).resume, name: '../x.html' };
    const id = await storeApplication(stack, BYTES, { quarantined: true, reasons: ['links'], resume: application });
    const { headers } = await call(`/inbox/${id}/resume`, { user: 'hana' });
    expect(headers['content-disposition']).toMatch(/^attachment; filename="?x\.html"?$/);
    expect(headers['content-type']).toBe('application/pdf');
  });
});

describe('inbox > text of visitors', () => {
  it('page > shows markup, direction marks and 10,000 letters as text', async () => {
    const nasty = `<script>alert(1)</script>"' onfocus=x \u202Egnp.exe ${'W'.repeat(10_000)}`;
    const id = await held({
      name: nasty,
      phone: nasty,
      message: nasty,
      email: '"<b>"@x.example',
      service: nasty as never,
    });
    for (const path of [`/inbox/${id}`, `/inbox/${id}/erase`, '/inbox', `/inbox?q=${encodeURIComponent(nasty)}`]) {
      const { text } = await call(path, { user: 'ada' });
      expect(text.match(/<script[^>]*>/g)).toEqual(['<script src="/inbox-keys.js" defer>']);
      expect(/<[^>]*onfocus/.test(text.replace(/"[^"]*"/g, '""'))).toBe(false);
      expect(text.includes('&#60;script&#62;')).toBe(true);
    }
    const links = (await call(`/inbox/${id}`, { user: 'ada' })).text.matchAll(/href="([^"]*)"/g);
    for (const [, href] of links)
      expect(href).toMatch(/^(?:\/inbox|\/site\.css|\/mark\.svg|#content|mailto:[^<>" ]+$)/);
  });

  it('search > ignores case and accents in name, address and reference', async () => {
    const id = await held({ name: 'José Ångström', email: 'Jose.Search@visitor.example' });
    for (const text of ['jose ang', 'ÅNGSTRÖM', 'jose.search@', id.slice(3, 12)]) {
      const found = await call(`/inbox?q=${encodeURIComponent(text)}`, { user: 'sam' });
      expect(found.text).toContain(`/inbox/${id}`);
    }
    expect((await call('/inbox?q=nobody-of-this-name', { user: 'sam' })).text).toContain(list.nothingFits);
    expect((await call(`/inbox?state=delivered&q=${id}`, { user: 'sam' })).text).not.toContain(`/inbox/${id}`);
  });

  it('shows each submission on exactly one page', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 51; count++) ids.push(await held({ name: 'Pageful Person' }));
    const seen: string[] = [];
    for (let path: string | undefined = '/inbox?state=quarantined&q=pageful'; path !== undefined;) {
      const { text } = await call(path, { user: 'sam' });
      seen.push(...[...text.matchAll(/href="\/inbox\/(KW-[0-9A-Z-]+)\?/g)].map(([, id = '']) => id));
      path = linkOf(text, 'next');
    }
    expect(seen.toSorted()).toEqual(ids.toSorted());
    const last = await call('/inbox?state=quarantined&q=pageful&page=9', { user: 'sam' });
    expect(last.text).toContain(list.foundOnPage({ filter: '', count: 51, page: 2, pages: 2 }));
    const first = await call(linkOf(last.text, 'prev') ?? '', { user: 'sam' });
    expect(first.text).toContain(list.found({ filter: '', count: 51 }));
  });

  it('shows five of those that need a decision, each once, with a link to all', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 6; count++) ids.push(await held({ name: 'Shown Once' }));
    // They may have arrived in the same millisecond.
    await age(stack.database, ids[0] ?? '', 1);
    const { text } = await call('/inbox', { user: 'sam' });
    expect(ids.map((id) => text.split(`href="/inbox/${id}"`).length - 1)).toEqual([0, 1, 1, 1, 1, 1]);
    const number = list.ofStatus({ count: '(\\d+)', status: inSentence('quarantined') });
    const [, address = '', count = ''] = new RegExp(`href="([^"]*)">${number}<`).exec(text) ?? [];
    const all = await call(address, { user: 'sam' });
    for (const id of ids) expect(all.text).toContain(`/inbox/${id}?back=`);
    expect(all.text).toContain(list.found({ filter: STATUS_LABELS.quarantined, count }));
  });

  it('shows times with weekday and, once for the page, the time zone in words', async () => {
    const id = await held();
    const { format } = new Intl.DateTimeFormat(LOCALE, { weekday: 'short' });
    const weekdays = Array.from({ length: 7 }, (_, day) => format(Date.UTC(2026, 0, 1 + day)));
    for (const path of ['/inbox', `/inbox/${id}`]) {
      const { text } = await call(path, { user: 'sam' });
      expect(text).toContain(zoneText(stack.settings.TIME_ZONE));
      expect(text).toMatch(new RegExp(`<time[^>]*>(?:${weekdays.join('|')})[.,]* \\d`));
    }
  });

  it('is no success on the page of a submission > its mail is delayed', async () => {
    stack.mail.behaviour = { refuse: 'data', code: 451 };
    const id = await storeEnquiry(stack);
    await until('the first attempt', async () => ((await stack.submissions.find(id))?.nextAttemptAt ?? 0) > 0);
    const { text } = await call(`/inbox/${id}`, { user: 'sam' });
    stack.mail.behaviour = 'accept';
    const nextTry = submission.nextTry({ time: '<time>', zone: zoneText(stack.settings.TIME_ZONE) });
    expect(text.replaceAll(/<time[^>]*>[^<]+<\/time>/g, '<time>')).toContain(
      `<p class="notice border-signal bg-signal-wash">${nextTry}`,
    );
  });

  it('is exported as CSV that a spreadsheet reads', async () => {
    const id = await held({ name: '=1+1 Zoë' });
    const csv = await call(`/inbox/export.csv?q=${id}`, { user: 'sam' });
    expect(csv.headers['content-disposition']).toContain('attachment');
    expect(csv.text.startsWith('\uFEFFreference,form,state')).toBe(true);
    expect(csv.text).toContain(id);
    expect(csv.text).toContain("'=1+1 Zoë");
  });
});

describe('inbox > action', () => {
  it('release > mails once and names the user > two people release at once', async () => {
    const id = await held({ name: 'Released Once' });
    const page = await call(`/inbox/${id}`, { user: 'sam' });
    expect(page.text).toContain(whyHeldBack(['many links', 'sent within seconds']));
    const answers = await Promise.all(
      ['ada', 'bo'].map((user) => call(`/inbox/${id}/release`, { user, method: 'POST' })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
    await stack.delivered(id);
    expect(stack.mail.received.filter(({ text }) => text?.includes(id))).toHaveLength(1);
    const { text } = await call(`/inbox/${id}`, { user: 'sam' });
    expect(text).toMatch(new RegExp(`${history.released({ by: by('(?:ada|bo)') })}[^]*${history.accepted}`));
    expect(text).toContain(submission.webhookPending);
    const slower = text.includes(history.released({ by: by('ada') })) ? 'bo' : 'ada';
    expect((await call(`/inbox/${id}/release`, { user: slower, method: 'POST' })).status).toBe(409);
  });

  it('resend > posts to the webhook again > the posts had failed', async () => {
    const id = await storeEnquiry(stack, {}, { notifications: ['webhook'] });
    await stack.delivered(id);
    await stack.database.run((db) =>
      db.updateTable('notifications').set({ state: 'failed' }).where('submissionId', '=', id).execute(),
    );
    expect((await call(`/inbox/${id}/resend`, { user: 'ada', method: 'POST' })).status).toBe(303);
    expect(await notificationsOf(stack.database, id)).toEqual({ webhook: 'pending' });
  });

  it('acts once and shows no error > the user clicks twice', async () => {
    const twice = async (id: string, action: string) => {
      const clicks = [1, 2].map(() => call(`/inbox/${id}/${action}`, { user: 'ada', method: 'POST' }));
      const answers = await Promise.all(clicks);
      answers.push(await call(`/inbox/${id}/${action}`, { user: 'ada', method: 'POST' }));
      return answers.map(({ status }) => status);
    };
    const mailsOf = (id: string) => stack.mail.received.filter(({ text }) => text?.includes(id)).length;
    const id = await held();
    expect(await twice(id, 'release')).toEqual([303, 303, 303]);
    await stack.delivered(id);
    expect((await call(`/inbox/${id}/release`, { user: 'ada', method: 'POST' })).status).toBe(303);
    expect(await twice(id, 'resend')).toEqual([303, 303, 303]);
    await stack.delivered(id);
    // The worker was quicker than the second click.
    expect((await call(`/inbox/${id}/resend`, { user: 'ada', method: 'POST' })).status).toBe(303);
    expect([await stack.stateOf(id), mailsOf(id)]).toEqual(['delivered', 2]);
    // Another user does not click twice, and a click after a minute is not the second of two.
    expect((await call(`/inbox/${id}/release`, { user: 'bo', method: 'POST' })).status).toBe(409);
    const now = Date.now();
    const later = jest.spyOn(Date, 'now').mockReturnValue(now + 45_000);
    expect((await call(`/inbox/${id}/resend`, { user: 'ada', method: 'POST' })).status).toBe(303);
    expect(await stack.stateOf(id)).toBe('delivered');
    later.mockReturnValue(now + 61_000);
    expect((await call(`/inbox/${id}/resend`, { user: 'ada', method: 'POST' })).status).toBe(303);
    later.mockRestore();
    expect(await stack.stateOf(id)).toBe('pending');
  });

  it('sends nothing again that is quarantined', async () => {
    const id = await held();
    for (const action of ['resend', 'repost'])
      expect((await call(`/inbox/${id}/${action}`, { user: 'ada', method: 'POST' })).status).toBe(409);
    expect(await stack.stateOf(id)).toBe('quarantined');
  });

  it('posts to the webhook again without a second mail > the post was given up', async () => {
    const id = await storeEnquiry(stack, {}, { notifications: ['webhook'] });
    await stack.delivered(id);
    await stack.database.run((db) =>
      db.updateTable('notifications').set({ state: 'failed' }).where('submissionId', '=', id).execute(),
    );
    expect((await call(`/inbox/${id}`, { user: 'ada' })).text).toContain(submission.postAgain);
    expect((await call(`/inbox/${id}/repost`, { user: 'ada', method: 'POST' })).status).toBe(303);
    expect([await stack.stateOf(id), await notificationsOf(stack.database, id)]).toEqual([
      'delivered',
      { webhook: 'pending' },
    ]);
    const { text } = await call(`/inbox/${id}`, { user: 'ada' });
    expect(text).toContain(history.postedAgain({ by: by('ada') }));
    expect(text).not.toContain(`${submission.postAgain}</button>`);
  });

  it('is logged with user and references > it erases or exports', async () => {
    const name = 'Logged Person';
    const ids = [await held({ name }), await held({ name })];
    const logged = jest.spyOn(Logger.prototype, 'log');
    const lines = () => logged.mock.calls.map(([line]) => line as { event?: string; references?: string[] });
    await call(`/inbox/export.csv?q=${encodeURIComponent(name)}`, { user: 'sam' });
    expect(lines()).toContainEqual({ event: 'exported', by: 'sam', count: 2, references: ids.toReversed() });
    const clicks = [1, 2].map(() => call(`/inbox/${ids[0]}/erase`, { user: 'ada', method: 'POST' }));
    for (const { status, text } of [
      ...(await Promise.all(clicks)),
      await call(`/inbox/${ids[0]}/erase`, { user: 'ada', method: 'POST' }),
    ])
      expect([status, text]).toEqual([200, expect.stringContaining(submission.erased)]);
    expect(lines().filter(({ event }) => event === 'erased')).toEqual([
      { event: 'erased', reference: ids[0], by: 'ada' },
    ]);
    expect(JSON.stringify(lines())).not.toContain(name);
    logged.mockRestore();
    expect((await call(`/inbox/${ids[0]}/erase`, { user: 'sam', method: 'POST' })).status).toBe(404);
  });

  it('erase > leaves nothing of a submission > after the confirmation', async () => {
    const id = await storeApplication(stack, BYTES, { quarantined: true, reasons: ['links'] });
    const key = (await stack.submissions.find(id))?.resume?.key ?? '';
    expect((await call(`/inbox/${id}/erase`, { user: 'hana' })).text).toContain(words.inbox.erase.yes);
    expect(await stack.stateOf(id)).toBe('quarantined');
    expect((await call(`/inbox/${id}/erase`, { user: 'hana', method: 'POST' })).status).toBe(200);
    expect(await stack.stateOf(id)).toBeUndefined();
    await expect(stack.files.open({ key, size: 0, sha256: '' })).rejects.toThrow();
    expect((await call(`/inbox/${id}`, { user: 'hana' })).status).toBe(404);
  });
});

describe('inbox > unavailable storage', () => {
  it('answers every page with 503, a message and Retry-After', async () => {
    const id = await storeApplication(stack, BYTES, { quarantined: true, reasons: ['links'] });
    const away = jest.spyOn(worker.get(Database), 'run');
    away.mockRejectedValue(new StorageUnavailableError('DATABASE_URL: ECONNREFUSED'));
    for (const path of ['/inbox', `/inbox/${id}`, `/inbox/${id}/resume`, `/inbox/${id}/erase`]) {
      const { status, headers, text } = await call(path, { user: 'ada' });
      expect([status, headers['retry-after']]).toEqual([503, '30']);
      expect(headers['content-type']).toContain('text/html');
      expect(text).toContain(errors.unavailable);
      expect(text).not.toContain('ECONNREFUSED');
    }
    expect((await call(`/inbox/${id}/release`, { user: 'ada', method: 'POST' })).status).toBe(503);
    away.mockRestore();
    expect(await stack.stateOf(id)).toBe('quarantined');
  });

  it('answers a page without the error, and logs its place > a bug', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const broken = jest.spyOn(worker.get(Database), 'run');
    broken.mockRejectedValue(new TypeError('cannot read ada@visitor.example'));
    const { status, headers, text } = await call('/inbox', { user: 'ada' });
    broken.mockRestore();
    expect(status).toBe(500);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain(words.errors.internal);
    const lines = JSON.stringify(logged.mock.calls);
    expect(lines).toContain('TypeError');
    expect(text + lines).not.toContain('visitor');
  });

  it('says what remains of an erasure, as the command does > its file cannot be removed', async () => {
    const id = await storeApplication(stack, BYTES, { quarantined: true, reasons: ['links'] });
    const key = (await stack.submissions.find(id))?.resume?.key ?? '';
    const remove = jest.spyOn(worker.get(FileStorage), 'remove');
    // The worker's own clean-up, once a minute, must not remove the file in between.
    remove.mockRejectedValue(new StorageUnavailableError('RESUMES_URL: ECONNREFUSED'));
    const { status, text } = await call(`/inbox/${id}/erase`, { user: 'hana', method: 'POST' });
    remove.mockRestore();
    expect(status).toBe(200);
    expect(text).toContain(submission.erasedPartly({ why: remainderText({ files: [id], copies: false }) }));
    expect(await stack.stateOf(id)).toBeUndefined();
    await worker.get(ErasureService).cleanUp();
    await expect(stack.files.open({ key, size: 0, sha256: '' })).rejects.toThrow();
  });

  it('answers as a page, not as a file > the file cannot be read', async () => {
    const id = await storeApplication(stack, BYTES, { quarantined: true, reasons: ['links'] });
    await stack.files.remove((await stack.submissions.find(id))?.resume?.key ?? '');
    const { status, headers, text } = await call(`/inbox/${id}/resume`, { user: 'hana' });
    expect([status, headers['content-disposition']]).toEqual([503, undefined]);
    expect(text).toContain(errors.unavailable);
    expect((await stack.submissions.find(id))?.history).not.toContain('downloaded');
  });

  it.each([
    ['it is cut off', BYTES.subarray(0, 3)],
    ['its bytes differ', Buffer.alloc(BYTES.length, 'x')],
    ['it is longer', Buffer.concat([BYTES, BYTES])],
  ])('answers as a page, not as a file > the file is damaged: %s', async (_, bytes) => {
    const id = await storeApplication(stack, BYTES, { quarantined: true, reasons: ['links'] });
    await overwriteFile(stack, id, bytes);
    const { status, headers } = await call(`/inbox/${id}/resume`, { user: 'hana' });
    expect([status, headers['content-disposition']]).toEqual([503, undefined]);
    expect((await stack.submissions.find(id))?.history).not.toContain('downloaded');
  });

  it('aborts a download > the end of a large file is damaged', async () => {
    const large = Buffer.alloc(500_000, '%PDF-1.7 ');
    const id = await storeApplication(stack, large, { quarantined: true, reasons: ['links'] });
    for (const bytes of [large.subarray(0, 499_999), Buffer.concat([large.subarray(0, 499_999), Buffer.from('x')])]) {
      await overwriteFile(stack, id, bytes);
      await expect(call(`/inbox/${id}/resume`, { user: 'hana' })).rejects.toThrow();
    }
  });

  it('refuses a download and closes the file > the history cannot be written', async () => {
    const id = await storeApplication(stack, BYTES, { quarantined: true, reasons: ['links'] });
    const opened = jest.spyOn(worker.get(FileStorage), 'open');
    const away = new StorageUnavailableError('DATABASE_URL: ECONNREFUSED');
    jest.spyOn(worker.get(SubmissionsRepository), 'record').mockRejectedValueOnce(away);
    expect((await call(`/inbox/${id}/resume`, { user: 'hana' })).status).toBe(503);
    const content = (await opened.mock.results[0]?.value) as Readable;
    await until('the file closed', () => content.closed);
    opened.mockRestore();
  });

  it('ends an incomplete export with an error > the database fails', async () => {
    jest.replaceProperty(worker.get(Database), 'pageRows', 2);
    await Promise.all([held(), held(), held()]);
    const lists = worker.get(SubmissionSearchRepository);
    const newest = lists.newest.bind(lists);
    const breaking = jest.spyOn(lists, 'newest').mockImplementation((list, limit, place) => {
      if (place?.before) return Promise.reject(new StorageUnavailableError('DATABASE_URL: ECONNREFUSED'));
      return newest(list, limit, place);
    });
    await expect(call('/inbox/export.csv', { user: 'ada' })).rejects.toThrow();
    breaking.mockRestore();
  });
});

describe('inbox > no users', () => {
  it('answers 404, and asks for no password', async () => {
    const other = await DeliveryStack.start({ redis: stack.redis, mail: stack.mail });
    const ofOther = (await other.startWorker()) as INestApplication;
    await ofOther.listen(0, '127.0.0.1');
    const { port } = ofOther.getHttpServer().address() as AddressInfo;
    for (const path of ['/inbox', '/inbox/KW-AAAA-AAAA-AAAA-AAAA']) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('www-authenticate')).toBeNull();
    }
    await other.stopWorker(ofOther);
    await other.database.close();
  });
});
