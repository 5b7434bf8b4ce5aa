import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { BYTES, InboxStack } from '../../test/inbox-stack.ts';
import { newApplication, overwriteFile } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { by, words } from '../../test/words.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { FileStorage } from '../files/file-storage.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';

const downloaded = words.submissions.history.downloaded({ by: by('hana') });
let inbox: InboxStack;

beforeAll(async () => (inbox = await InboxStack.start({ hana: 'hr' })) && undefined);
afterAll(() => inbox.stack.close());

const call = (path: string, options = {}) => inbox.call(path, 'hana', options);
const historyOf = async (id: string) => (await inbox.stack.submissions.find(id))?.history;

describe('inbox > file', () => {
  it('is downloaded unchanged, and noted with the user', async () => {
    const id = await inbox.heldApplication();
    const { bytes, headers } = await call(`/inbox/${id}/resume`);
    expect(bytes.equals(BYTES)).toBe(true);
    expect(headers['content-disposition']).toMatch(/^attachment; filename="r.sum. Ada\.pdf"; filename\*=UTF-8''/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(await inbox.get(`/inbox/${id}`, 'hana')).toContain(downloaded);
  });

  it('is a page without script, noted for each opening > it is a PDF', async () => {
    const id = await inbox.heldApplication();
    const { headers: own, text } = await call(`/inbox/${id}`);
    expect(text).toContain(`href="/inbox/${id}/view">${words.inbox.submission.openFile}`);
    for (let times = 1; times <= 2; times++) {
      const { status, headers, bytes } = await call(`/inbox/${id}/view`, { headers: { Range: 'bytes=0-3' } });
      expect([status, bytes.equals(BYTES)]).toEqual([200, true]);
      expect(headers).toMatchObject({
        'content-type': 'application/pdf',
        'content-disposition': expect.stringMatching(/^inline; filename="r.sum. Ada\.pdf"; filename\*=UTF-8''/),
        'cache-control': 'no-store, no-transform',
        'accept-ranges': 'none',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringMatching(/^default-src 'none'; (?!.*(?:script|sandbox))/),
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

  it.each(['resume', 'view'])('is not downloaded > the request is HEAD > %s', async (path) => {
    const id = await inbox.heldApplication();
    const { status, headers, bytes } = await call(`/inbox/${id}/${path}`, { method: 'HEAD' });
    expect([status, headers['content-length'], bytes.length]).toEqual([200, String(BYTES.length), 0]);
    expect(await historyOf(id)).toBe('');
  });

  it('is saved under the last part of its name > the name is a path', async () => {
    const id = await inbox.heldApplication(BYTES, { resume: { ...newApplication(BYTES).resume, name: '../x.html' } });
    const { headers } = await call(`/inbox/${id}/resume`);
    expect(headers['content-disposition']).toMatch(/^attachment; filename="?x\.html"?$/);
    expect(headers['content-type']).toBe('application/pdf');
  });

  it.each([
    ['is missing', undefined],
    ['is cut off', BYTES.subarray(0, 3)],
    ['has other bytes', Buffer.alloc(BYTES.length, 'x')],
    ['is longer', Buffer.concat([BYTES, BYTES])],
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
    for (const bytes of [large.subarray(0, 499_999), Buffer.concat([large.subarray(0, 499_999), Buffer.from('x')])]) {
      await overwriteFile(inbox.stack, id, bytes);
      await expect(call(`/inbox/${id}/resume`)).rejects.toThrow();
    }
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
