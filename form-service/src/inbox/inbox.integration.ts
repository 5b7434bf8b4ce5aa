import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger, type INestApplication } from '@nestjs/common';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { followUpsOf } from '../../test/follow-ups.ts';
import { storeApplication, storeEnquiry } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { hashPassword, type InboxUser, type Role } from '../config/inbox-users.ts';
import { Database } from '../database/database.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { ResumeFiles } from '../submissions/resume-files.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';

const PASSWORD = 'a password of some length: with a colon and ü';
const BYTES = Buffer.from('%PDF-1.7 the very bytes \0\xff', 'latin1');

let stack: DeliveryStack;
let origin: string;
let worker: INestApplication;

beforeAll(async () => {
  const hash = await hashPassword(PASSWORD);
  const user = (name: string, role: Role): InboxUser => ({ name, role, hash });
  stack = await DeliveryStack.start({
    settings: {
      INBOX_USERS: [user('sam', 'sales'), user('hana', 'hr'), user('ada', 'all'), user('bo', 'all')],
      SUBMISSION_WEBHOOK_URL: 'http://127.0.0.1:1/',
    },
  });
  worker = (await stack.startWorker()) as INestApplication;
  await worker.listen(0, '127.0.0.1');
  origin = `http://127.0.0.1:${(worker.getHttpServer().address() as AddressInfo).port}`;
});

afterAll(() => stack.close());

interface Call {
  readonly user?: string;
  readonly password?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly agent?: Agent;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
}

/** A request as nginx passes it on; a POST is as a browser sends it from a page of the inbox. */
function call(
  path: string,
  { user, password = PASSWORD, method = 'GET', headers = {}, agent }: Call = {},
): Promise<Answer> {
  const login =
    user === undefined ? {} : { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
  const own = method === 'POST' ? { Origin: origin, 'Sec-Fetch-Site': 'same-origin' } : {};
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      `${origin}${path}`,
      { method, agent, headers: { ...login, ...own, ...headers } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const bytes = Buffer.concat(chunks);
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes, text: bytes.toString() });
        });
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

const held = (fields = {}, reasons = ['many links', 'sent within seconds']) =>
  storeEnquiry(stack, fields, { quarantined: true, reasons });

describe('Who gets into the inbox', () => {
  it('Nobody without a name and the right password, and nothing says which of the two was wrong', async () => {
    const id = await held();
    for (const path of ['/inbox', `/inbox/${id}`, `/inbox/${id}/erase`, '/inbox/export.csv', '/inbox/nothing']) {
      const none = await call(path);
      const wrong = await call(path, {
        user: 'ada',
        password: 'wrong',
        headers: { 'X-Forwarded-For': `10.0.0.${path.length}` },
      });
      const unknown = await call(path, { user: 'eve', headers: { 'X-Forwarded-For': `10.0.1.${path.length}` } });
      for (const answer of [none, wrong, unknown]) {
        expect(answer.status).toBe(401);
        expect(answer.headers['www-authenticate']).toContain('Basic');
        expect(answer.text).toBe(none.text);
      }
    }
  });

  it('Who signs in rightly is not counted as a try, so that an office of many people gets in at one address', async () => {
    const headers = { 'X-Forwarded-For': '10.8.8.8' };
    for (let wrong = 0; wrong < 9; wrong++)
      expect((await call('/inbox', { user: 'ada', password: `slip ${wrong}`, headers })).status).toBe(401);
    for (const user of ['hana', 'bo']) expect((await call('/inbox', { user, headers })).status).toBe(200);
  });

  it('A thousand wrong passwords are refused after the first ten, and who has signed in goes on working', async () => {
    expect((await call('/inbox', { user: 'ada' })).status).toBe(200);
    const headers = { 'X-Forwarded-For': '10.9.9.9' };
    // A thousand connections at once are more than the system lets wait.
    const agent = new Agent({ maxSockets: 100 });
    const tries = Array.from({ length: 1_000 }, (_, index) =>
      call('/inbox', { user: index % 2 === 0 ? 'ada' : 'nobody', password: `guess ${index}`, headers, agent }),
    );
    expect((await call('/inbox', { user: 'ada' })).status).toBe(200);
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10);
    expect(new Set(statuses)).toEqual(new Set([401, 429, 503].filter((status) => statuses.includes(status))));
    expect((await call('/inbox', { user: 'sam', headers })).status).toBe(429);
    expect((await call('/inbox', { user: 'ada', headers })).status).toBe(200);
  });

  it('Over plain HTTP from another machine nobody is even asked for a password', async () => {
    const answer = await call('/inbox', { headers: { Host: 'www.kitewright.example' } });
    expect(answer.status).toBe(403);
    expect(answer.headers['www-authenticate']).toBeUndefined();
    expect(answer.text).toContain('only over https');
    const headers = { Host: 'www.kitewright.example', 'X-Forwarded-Proto': 'https' };
    expect((await call('/inbox', { user: 'ada', headers })).status).toBe(200);
  });

  it('What another site, a frame or a program without an origin sends changes nothing', async () => {
    const id = await held();
    const foreign: Readonly<Record<string, string>>[] = [
      { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'same-site', Origin: origin },
      { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' },
      { 'Sec-Fetch-Site': 'none', Origin: '' },
    ];
    for (const headers of foreign) {
      for (const action of ['release', 'erase', 'resend'])
        expect((await call(`/inbox/${id}/${action}`, { user: 'ada', method: 'POST', headers })).status).toBe(403);
    }
    expect(await stack.stateOf(id)).toBe('quarantined');
    const page = await call(`/inbox/${id}`, { user: 'ada' });
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.headers['content-security-policy']).not.toContain('script-src');
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.headers['x-robots-tag']).toContain('noindex');
  });
});

describe('What a role sees', () => {
  it('Sales sees no application and HR no enquiry, also when they guess the address of page, file or action', async () => {
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
        expect(text.replaceAll(`="${id}"`, '').replaceAll(`q=${id}`, '')).not.toContain(id);
      }
      expect(await stack.stateOf(id)).toBe('quarantined');
    }
    expect((await call('/inbox', { user: 'sam' })).text).toContain(enquiry);
    expect((await call('/inbox', { user: 'hana' })).text).toContain(application);
    expect((await call('/inbox', { user: 'ada' })).text).toMatch(new RegExp(`${enquiry}[^]*|${application}`));
  });

  it('A résumé is downloaded byte for byte, never shown, and the history says by whom', async () => {
    const id = await storeApplication(stack, BYTES, { quarantined: true, reasons: ['links'] });
    const file = await call(`/inbox/${id}/resume`, { user: 'hana' });
    expect(file.bytes.equals(BYTES)).toBe(true);
    expect(file.headers['content-disposition']).toMatch(/^attachment; filename="r.sum. Ada\.pdf"; filename\*=UTF-8''/);
    expect(file.headers['x-content-type-options']).toBe('nosniff');
    expect((await call(`/inbox/${id}`, { user: 'hana' })).text).toContain('The résumé was downloaded by hana');
  });

  it('A download that is broken off is no error, and leaves no file open', async () => {
    const id = await storeApplication(stack, Buffer.alloc(9_000_000, '%PDF-1.7 '), { quarantined: true });
    const errors = jest.spyOn(Logger.prototype, 'error');
    const opened = jest.spyOn(worker.get(ResumeFiles), 'open');
    const headers = { Authorization: `Basic ${Buffer.from(`hana:${PASSWORD}`).toString('base64')}` };
    const sent = httpRequest(`${origin}/inbox/${id}/resume`, { headers }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.once('error', () => undefined).destroy();
    const content = (await opened.mock.results[0]?.value) as Readable;
    await until('the file closed', () => content.closed);
    expect((await call(`/inbox/${id}`, { user: 'hana' })).status).toBe(200);
    expect(errors).not.toHaveBeenCalled();
    for (const spy of [errors, opened]) spy.mockRestore();
  });

  it('A file whose name leads elsewhere is downloaded under its last part', async () => {
    const application = { name: '../x.html', mediaType: 'application/pdf', size: BYTES.length, sha256: '', key: '' };
    const id = await storeApplication(stack, BYTES, { quarantined: true, reasons: ['links'], resume: application });
    const { headers } = await call(`/inbox/${id}/resume`, { user: 'hana' });
    expect(headers['content-disposition']).toMatch(/^attachment; filename="?x\.html"?$/);
    expect(headers['content-type']).toBe('application/pdf');
  });
});

describe('What visitors wrote', () => {
  it('Markup, direction marks and ten thousand letters in every field are shown as they are, and nothing else', async () => {
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
      expect(text.includes('<script')).toBe(false);
      expect(/<[^>]*onfocus/.test(text.replace(/"[^"]*"/g, '""'))).toBe(false);
      expect(text.includes('&#60;script&#62;')).toBe(true);
    }
    const links = (await call(`/inbox/${id}`, { user: 'ada' })).text.matchAll(/href="([^"]*)"/g);
    for (const [, href] of links) expect(href).toMatch(/^(?:\/inbox|\/site\.css|#content)/);
  });

  it('A search finds a part of the name, the address and the reference, whatever the case and the accents', async () => {
    const id = await held({ name: 'José Ångström', email: 'Jose.Search@visitor.example' });
    for (const text of ['jose ang', 'ÅNGSTRÖM', 'jose.search@', id.slice(3, 12)]) {
      const found = await call(`/inbox?q=${encodeURIComponent(text)}`, { user: 'sam' });
      expect(found.text).toContain(`/inbox/${id}`);
    }
    expect((await call('/inbox?q=nobody-of-this-name', { user: 'sam' })).text).toContain('Nothing fits');
    expect((await call(`/inbox?state=delivered&q=${id}`, { user: 'sam' })).text).not.toContain(`/inbox/${id}`);
  });

  it('Older ones are a page further, and none is missing or shown twice', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 60; count++) ids.push(await held({ name: 'Pageful Person' }));
    const seen: string[] = [];
    for (let path: string | undefined = '/inbox?state=quarantined&q=pageful'; path !== undefined;) {
      const { text } = await call(path, { user: 'sam' });
      seen.push(...[...text.matchAll(/\/inbox\/(KW-[0-9A-Z-]+)"/g)].map(([, id = '']) => id));
      path = /href="(\/inbox\?[^"]*after=[^"]*)"/.exec(text)?.[1]?.replaceAll('&#38;', '&');
    }
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });

  it('The list comes as CSV that a spreadsheet reads', async () => {
    const id = await held({ name: '=1+1 Zoë' });
    const csv = await call(`/inbox/export.csv?q=${id}`, { user: 'sam' });
    expect(csv.headers['content-disposition']).toContain('attachment');
    expect(csv.text.startsWith('\uFEFFreference,form,state')).toBe(true);
    expect(csv.text).toContain(id);
    expect(csv.text).toContain("'=1+1 Zoë");
  });
});

describe('What a person does', () => {
  it('Released by two people at once, a held enquiry is mailed once, and its history names who it was', async () => {
    const id = await held({ name: 'Released Once' });
    const page = await call(`/inbox/${id}`, { user: 'sam' });
    expect(page.text).toContain('We held this back because it has more than five links and it was sent within seconds');
    const answers = await Promise.all(
      ['ada', 'bo'].map((user) => call(`/inbox/${id}/release`, { user, method: 'POST' })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
    await until('the mail', async () => (await stack.stateOf(id)) === 'delivered');
    expect(stack.mail.received.filter(({ text }) => text?.includes(id))).toHaveLength(1);
    const { text } = await call(`/inbox/${id}`, { user: 'sam' });
    expect(text).toMatch(/Released by (?:ada|bo)[^]*The mail server took the mail/);
    expect(text).toContain('The connected program does not have it yet');
    expect((await call(`/inbox/${id}/release`, { user: 'ada', method: 'POST' })).status).toBe(409);
  });

  it('What is sent again is posted to the webhook again too, where that was given up', async () => {
    const id = await storeEnquiry(stack, {}, { followUps: ['webhook'] });
    await until('the mail', async () => (await stack.stateOf(id)) === 'delivered');
    await stack.database.run((db) =>
      db.updateTable('followUps').set({ state: 'failed' }).where('submissionId', '=', id).execute(),
    );
    expect((await call(`/inbox/${id}/resend`, { user: 'ada', method: 'POST' })).status).toBe(303);
    expect(await followUpsOf(stack.database, id)).toEqual({ webhook: 'pending' });
  });

  it('Erased after a second look, nothing of a submission is left', async () => {
    const id = await storeApplication(stack, BYTES, { quarantined: true, reasons: ['links'] });
    const key = (await stack.submissions.find(id))?.resume?.key ?? '';
    expect((await call(`/inbox/${id}/erase`, { user: 'hana' })).text).toContain('Erase for good');
    expect(await stack.stateOf(id)).toBe('quarantined');
    expect((await call(`/inbox/${id}/erase`, { user: 'hana', method: 'POST' })).status).toBe(200);
    expect(await stack.stateOf(id)).toBeUndefined();
    await expect(stack.files.open(key)).rejects.toThrow();
    expect((await call(`/inbox/${id}`, { user: 'hana' })).status).toBe(404);
  });
});

describe('While the storage is away', () => {
  it('Every page says so in words, and asks for patience', async () => {
    const id = await storeApplication(stack, BYTES, { quarantined: true, reasons: ['links'] });
    const away = jest.spyOn(worker.get(Database), 'run');
    away.mockRejectedValue(new StorageUnavailableError('DATABASE_URL: ECONNREFUSED'));
    for (const path of ['/inbox', `/inbox/${id}`, `/inbox/${id}/resume`, `/inbox/${id}/erase`]) {
      const { status, headers, text } = await call(path, { user: 'ada' });
      expect([status, headers['retry-after']]).toEqual([503, '30']);
      expect(headers['content-type']).toContain('text/html');
      expect(text).toContain('Please try again in a minute');
      expect(text).not.toContain('ECONNREFUSED');
    }
    expect((await call(`/inbox/${id}/release`, { user: 'ada', method: 'POST' })).status).toBe(503);
    away.mockRestore();
    expect(await stack.stateOf(id)).toBe('quarantined');
  });

  it('What is erased while its file cannot be removed is erased, and the page says what is left for how long', async () => {
    const id = await storeApplication(stack, BYTES, { quarantined: true, reasons: ['links'] });
    const key = (await stack.submissions.find(id))?.resume?.key ?? '';
    const files = worker.get(ResumeFiles);
    const remove = jest.spyOn(files, 'remove');
    remove.mockRejectedValueOnce(new StorageUnavailableError('RESUMES_URL: ECONNREFUSED'));
    const copies = jest.spyOn(worker.get(Database), 'removeCopies');
    const { status, text } = await call(`/inbox/${id}/erase`, { user: 'hana', method: 'POST' });
    expect([status, copies.mock.calls.length]).toEqual([200, 1]);
    expect(text).toContain('It is erased, but for its file');
    expect(await stack.stateOf(id)).toBeUndefined();
    await files.remove(key);
  });

  it('A file that cannot be read is not a page that cannot be understood', async () => {
    const id = await storeApplication(stack, BYTES, { quarantined: true, reasons: ['links'] });
    await stack.files.remove((await stack.submissions.find(id))?.resume?.key ?? '');
    const { status, headers, text } = await call(`/inbox/${id}/resume`, { user: 'hana' });
    expect([status, headers['content-disposition']]).toEqual([503, undefined]);
    expect(text).toContain('Please try again in a minute');
    expect((await stack.submissions.find(id))?.history).not.toContain('downloaded');
  });

  it('A download that the history cannot note is refused, and leaves no file open', async () => {
    const id = await storeApplication(stack, BYTES, { quarantined: true, reasons: ['links'] });
    const opened = jest.spyOn(worker.get(ResumeFiles), 'open');
    const away = new StorageUnavailableError('DATABASE_URL: ECONNREFUSED');
    jest.spyOn(worker.get(SubmissionsRepository), 'record').mockRejectedValueOnce(away);
    expect((await call(`/inbox/${id}/resume`, { user: 'hana' })).status).toBe(503);
    const content = (await opened.mock.results[0]?.value) as Readable;
    await until('the file closed', () => content.closed);
    opened.mockRestore();
  });

  it('A list that breaks off is no whole file', async () => {
    for (let count = 0; count < 60; count++) await held();
    const submissions = worker.get(SubmissionsRepository);
    const newest = submissions.newest.bind(submissions);
    const breaking = jest.spyOn(submissions, 'newest').mockImplementation((forms, states, limit, before) => {
      if (before) return Promise.reject(new StorageUnavailableError('DATABASE_URL: ECONNREFUSED'));
      return newest(forms, states, limit, before);
    });
    await expect(call('/inbox/export.csv', { user: 'ada' })).rejects.toThrow();
    breaking.mockRestore();
  });
});

describe('Without users', () => {
  it('There is no inbox, and nobody is asked for a password', async () => {
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
