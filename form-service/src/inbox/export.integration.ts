import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { InboxStack, says } from '../../test/inbox-stack.ts';
import { OTHER_SERVICE } from '../../test/services.ts';
import { until } from '../../test/until.ts';
import { words } from '../../test/words.ts';
import { Database } from '../database/database.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';

let inbox: InboxStack;
let stack: InboxStack['stack'];

beforeAll(async () => {
  inbox = await InboxStack.start({ sam: 'sales', ada: 'all' });
  ({ stack } = inbox);
});

afterAll(() => stack.close());
beforeEach(() => inbox.clear());

const spiedLines = () => {
  const logged = jest.spyOn(Logger.prototype, 'log');
  return () => logged.mock.calls.map(([line]) => line as { event?: string; references: string[] });
};

describe('inbox > export', () => {
  it.each(['q=website', 'state=waiting'])('has each once, in pages of any size, with an audit > %s', async (query) => {
    const ids = await inbox.series(7);
    await inbox.heldApplication();
    const lines = spiedLines();
    const size = jest.replaceProperty(inbox.worker.get(Database), 'pageRows', 1);
    // Several pages, one and a row, one, and less than one.
    for (const pageRows of [3, 6, 7, 8]) {
      size.replaceValue(pageRows);
      const before = lines().length;
      const text = await inbox.get(`/inbox/export.csv?${query}`, 'sam');
      const exported = Array.from(text.matchAll(/^(KW-[\w-]+),/gm), ([, id]) => id);
      expect([pageRows, exported]).toEqual([pageRows, ids]);
      const audited = lines()
        .slice(before)
        .filter(({ event }) => event === 'exported');
      expect([pageRows, audited.flatMap(({ references }) => references)]).toEqual([pageRows, ids]);
      expect(audited[0]).toMatchObject({ by: 'sam', count: Math.min(pageRows, 7) });
      expect(JSON.stringify(audited)).not.toContain('Ada');
    }
    size.restore();
  });

  it('is a file of what the list shows, with reasons, role and date, that a spreadsheet reads', async () => {
    const [id, other] = [await inbox.held({ service: OTHER_SERVICE, name: '=1+1 Zoë' }), await inbox.held()];
    const page = await inbox.get(`/inbox?topic=${encodeURIComponent(OTHER_SERVICE)}`);
    const [, address = ''] = new RegExp(`href="([^"]*)">${words.inbox.list.download}<`).exec(page) ?? [];
    const { text, headers } = await inbox.call(address.replaceAll('&#38;', '&'), 'sam');
    expect(says(text, id, other, 'many links', "'=1+1 Zoë")).toEqual([true, false, true, true]);
    const { reference, form } = words.submissions.columns;
    expect(text.startsWith(`\uFEFF${reference},${form},`)).toBe(true);
    const day = new Date().toISOString().slice(0, 10);
    expect(headers['content-disposition']).toBe(`attachment; filename=inbox-sales-${day}.csv`);
  });

  it('is not one > the request is HEAD', async () => {
    await inbox.held();
    const lines = spiedLines();
    const { status } = await inbox.call('/inbox/export.csv', 'ada', { method: 'HEAD' });
    expect([status, lines().filter(({ event }) => event === 'exported')]).toEqual([200, []]);
  });

  it('is in the audit with what was read > the browser aborts it', async () => {
    const ids = await inbox.series(3);
    const lines = spiedLines();
    const size = jest.replaceProperty(inbox.worker.get(Database), 'pageRows', 2);
    const lists = inbox.worker.get(SubmissionSearchRepository);
    const findAll = lists.findAll.bind(lists);
    let goOn = () => undefined as void;
    const aborted = new Promise<void>((resolve) => (goOn = resolve));
    const reading = jest.spyOn(lists, 'findAll').mockImplementation(async (page) => {
      if (page.length === 1) await aborted;
      return findAll(page);
    });
    const headers = { Cookie: await inbox.client.sessionOf('ada') };
    const answering = once(inbox.worker.getHttpServer() as Server, 'request');
    const sent = httpRequest(`${inbox.client.origin}/inbox/export.csv`, { headers }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const [, response] = (await answering) as [unknown, ServerResponse];
    await until('the last part asked for', () => reading.mock.calls.length === 2);
    answer.once('error', () => undefined).destroy();
    await until('the end of the response', () => response.closed);
    goOn();
    await reading.mock.results[1]?.value;
    await setImmediate();
    expect(lines().flatMap((line) => (line.event === 'exported' ? line.references : []))).toEqual(ids);
    reading.mockRestore();
    size.restore();
  });

  it('ends with an error > the database fails', async () => {
    const size = jest.replaceProperty(inbox.worker.get(Database), 'pageRows', 2);
    await inbox.series(3);
    const lists = inbox.worker.get(SubmissionSearchRepository);
    const findAll = lists.findAll.bind(lists);
    const breaking = jest.spyOn(lists, 'findAll').mockImplementation((page) => {
      if (page.length === 1) return Promise.reject(new StorageUnavailableError('DATABASE_URL: ECONNREFUSED'));
      return findAll(page);
    });
    await expect(inbox.call('/inbox/export.csv')).rejects.toThrow();
    breaking.mockRestore();
    size.restore();
  });
});
