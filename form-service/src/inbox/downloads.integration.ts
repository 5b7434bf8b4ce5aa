import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { BYTES, InboxStack, says } from '../../test/inbox-stack.ts';
import { OTHER_SERVICE } from '../../test/services.ts';
import { newApplication, overwriteFile } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { by, words } from '../../test/words.ts';
import { Database } from '../database/database.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { FileStorage } from '../files/file-storage.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';

const downloaded = words.submissions.history.downloaded({ by: by('hana') });
let inbox: InboxStack;

beforeAll(async () => (inbox = await InboxStack.start({ hana: 'hr', sam: 'sales', ada: 'all' })) && undefined);
afterAll(() => inbox.stack.close());
beforeEach(() => inbox.clear());

const call = (path: string, options = {}) => inbox.call(path, 'hana', options);
const historyOf = async (id: string) => (await inbox.stack.submissions.find(id))?.history;

const exportedLines = () => {
  const logged = jest.spyOn(Logger.prototype, 'log');
  return () =>
    logged.mock.calls
      .map(([line]) => line as { event?: string; references: string[] })
      .filter(({ event }) => event === 'exported');
};

describe('inbox > file', () => {
  it.each([
    ['resume', 'attachment', /^default-src 'none'; style-src/],
    ['view', 'inline', /^default-src 'none'; (?!.*(?:script|sandbox))/],
  ])('is sent unchanged, and noted for each opening > %s', async (path, kind, policy) => {
    const id = await inbox.heldApplication();
    const { headers: own, text } = await call(`/inbox/${id}`);
    expect(text).toContain(`href="/inbox/${id}/view">${words.inbox.submission.openFile}`);
    const head = await call(`/inbox/${id}/${path}`, { method: 'HEAD' });
    expect([head.status, head.headers['content-length'], await historyOf(id)]).toEqual([200, String(BYTES.length), '']);
    for (let times = 1; times <= 2; times++) {
      const { status, headers, bytes } = await call(`/inbox/${id}/${path}`, { headers: { Range: 'bytes=0-3' } });
      expect([status, bytes.equals(BYTES)]).toEqual([200, true]);
      expect(headers).toMatchObject({
        'content-type': 'application/pdf',
        'content-disposition': expect.stringMatching(
          new RegExp(`^${kind}; filename="r.sum. Ada\\.pdf"; filename\\*=UTF-8''`),
        ),
        'cache-control': 'no-store, no-transform',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringMatching(policy),
      });
      for (const name of ['cross-origin-resource-policy', 'cross-origin-opener-policy', 'x-frame-options'])
        expect([name, headers[name]]).toEqual([name, own[name]]);
      expect((await inbox.get(`/inbox/${id}`, 'hana')).split(downloaded)).toHaveLength(times + 1);
    }
  });

  it('is not shown as a page > it is no PDF', async () => {
    const resume = { ...newApplication(BYTES).resume, name: 'cv.pdf', mediaType: 'application/msword' };
    const id = await inbox.heldApplication(BYTES, { resume });
    expect(await inbox.get(`/inbox/${id}`, 'hana')).not.toContain(words.inbox.submission.openFile);
    expect((await call(`/inbox/${id}/view`)).status).toBe(404);
  });

  it.each([
    ['is missing', undefined],
    ['has other bytes', Buffer.alloc(BYTES.length, 'x')],
  ])('is a page with the reason, and no download > the file %s', async (_, bytes) => {
    const id = await inbox.heldApplication();
    const { key = '' } = (await inbox.stack.submissions.find(id))?.resume ?? {};
    await (bytes ? overwriteFile(inbox.stack, id, bytes) : inbox.stack.files.remove(key));
    for (const path of ['resume', 'view']) {
      const { status, headers, text } = await call(`/inbox/${id}/${path}`);
      expect([status, headers['content-disposition']]).toEqual([503, undefined]);
      expect(text).toContain(words.inbox.errors.unavailable);
    }
    expect(await historyOf(id)).toBe('');
  });

  it('aborts the download > the end of a large file is damaged', async () => {
    const large = Buffer.alloc(500_000, '%PDF-1.7 ');
    const id = await inbox.heldApplication(large);
    await overwriteFile(inbox.stack, id, Buffer.concat([large.subarray(0, 499_999), Buffer.from('x')]));
    await expect(call(`/inbox/${id}/resume`)).rejects.toThrow();
  });

  it('is closed, without an error in the log > the browser ends a download', async () => {
    const id = await inbox.heldApplication(Buffer.alloc(9_000_000, '%PDF-1.7 '));
    const errors = jest.spyOn(Logger.prototype, 'error');
    const opened = jest.spyOn(inbox.worker.get(FileStorage), 'open');
    const headers = { Cookie: await inbox.client.sessionOf('hana') };
    const sent = httpRequest(`${inbox.client.origin}/inbox/${id}/resume`, { headers }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.once('error', () => undefined).destroy();
    const content = (await opened.mock.results[0]?.value) as Readable;
    await until('the file closed', () => content.closed);
    expect((await call(`/inbox/${id}`)).status).toBe(200);
    // Other worker tasks may log unrelated errors at the same time.
    expect(errors.mock.calls.map(([error]) => String(error)).join()).not.toMatch(/premature/i);
  });

  it('is closed, and not downloaded > the history cannot be written', async () => {
    const id = await inbox.heldApplication();
    const opened = jest.spyOn(inbox.worker.get(FileStorage), 'open');
    const away = new StorageUnavailableError('DATABASE_URL: ECONNREFUSED');
    jest.spyOn(inbox.worker.get(SubmissionsRepository), 'record').mockRejectedValueOnce(away);
    expect((await call(`/inbox/${id}/resume`)).status).toBe(503);
    const content = (await opened.mock.results[0]?.value) as Readable;
    await until('the file closed', () => content.closed);
  });
});

describe('inbox > export', () => {
  it.each(['q=website', 'state=waiting'])('has each once, in pages of any size, with an audit > %s', async (query) => {
    const ids = await inbox.series(7);
    await inbox.heldApplication();
    const lines = exportedLines();
    const size = jest.replaceProperty(inbox.worker.get(Database), 'pageRows', 1);
    // Several pages, one and a row, one, and less than one.
    for (const pageRows of [3, 6, 7, 8]) {
      size.replaceValue(pageRows);
      const before = lines().length;
      const text = await inbox.get(`/inbox/export.csv?${query}`, 'sam');
      const exported = Array.from(text.matchAll(/^(KW-[\w-]+),/gm), ([, id]) => id);
      expect([pageRows, exported]).toEqual([pageRows, ids]);
      const audited = lines().slice(before);
      expect([pageRows, audited.flatMap(({ references }) => references)]).toEqual([pageRows, ids]);
      expect(audited[0]).toMatchObject({ by: 'sam', count: Math.min(pageRows, 7) });
      expect(JSON.stringify(audited)).not.toContain('Ada');
    }
    size.restore();
  });

  it('is a file of what the list shows, with role and date, that a spreadsheet reads', async () => {
    const [id, other] = [await inbox.held({ service: OTHER_SERVICE, name: '=1+1 Zoë' }), await inbox.held()];
    const page = await inbox.get(`/inbox?topic=${encodeURIComponent(OTHER_SERVICE)}`);
    const [, address = ''] = new RegExp(`href="([^"]*)">${words.inbox.list.download}<`).exec(page) ?? [];
    const lines = exportedLines();
    const path = address.replaceAll('&#38;', '&');
    expect([(await inbox.call(path, 'sam', { method: 'HEAD' })).status, lines()]).toEqual([200, []]);
    const { text, headers } = await inbox.call(path, 'sam');
    expect(says(text, id, other, 'many links', "'=1+1 Zoë")).toEqual([true, false, true, true]);
    const { reference, form } = words.submissions.columns;
    expect(text.startsWith(`\uFEFF${reference},${form},`)).toBe(true);
    const day = new Date().toISOString().slice(0, 10);
    expect(headers['content-disposition']).toBe(`attachment; filename=inbox-sales-${day}.csv`);
  });
});
