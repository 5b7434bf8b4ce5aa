import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadForm, loadPage, type Operate } from '../../bench/own-load.ts';
import { ApiServer } from './api-server.ts';
import { DeliveryStack } from './delivery-stack.ts';
import { RedisServer } from './redis-server.ts';
import { run } from './run-command.ts';
import { SERVICE } from './services.ts';

const EMAIL = 'this-run@load-test.invalid';
const VISITOR = {
  name: 'Ada',
  email: 'ada@visitor.example',
  service: SERVICE,
  message: 'We need a website.',
};

let redis: RedisServer;
let api: ApiServer;
/** Names of the commands that a load has run. */
let commands: string[];

beforeAll(async () => {
  redis = await RedisServer.start();
  api = await ApiServer.start(redis.url);
});
afterAll(async () => {
  await api.close();
  await redis.stop();
});
beforeEach(() => {
  commands = [];
});
afterEach(() => api.clear());

/** Returns a function that runs commands on the store of an api, or of another file in its folder. */
const operatorOf =
  ({ folder }: ApiServer, file = 'submissions.db'): Operate =>
  async (args) => {
    commands.push(args[0] ?? '');
    const { code, out } = await run({ DATABASE_URL: `file:${folder}/${file}` }, args);
    return { code, stdout: String(out) };
  };

const formOf = ({ url }: ApiServer) => new URL('/api/contact', url);

/** Reads the e-mail address and the state of every stored submission. */
const storedIn = ({ database }: ApiServer) =>
  database.run((db) => db.selectFrom('submissions').select(['email', 'state']).orderBy('id').execute());

describe('load on an own installation > --post', () => {
  it('mails nothing, and erases exactly its enquiries', async () => {
    const stack = await DeliveryStack.start();
    const { DATABASE_URL } = stack.settings;
    const notifying = { ACKNOWLEDGE: 'on', SUBMISSION_WEBHOOK_URL: 'https://crm.example/' } as const;
    const own = await ApiServer.start(stack.redis.url, { DATABASE_URL, ...notifying });
    try {
      const notifications = () => own.database.run((db) => db.selectFrom('notifications').selectAll().execute());
      const sent = await own.postJson('/api/contact', VISITOR);
      const { reference } = (await sent.json()) as { reference: string };
      const before = await notifications();
      let during: Awaited<ReturnType<typeof storedIn>> = [];
      const operate: Operate = async (args) => {
        commands.push(args[0] ?? '');
        if (args[0] === 'erase') during = await storedIn(own);
        const { code, out } = await run(stack.environment, args);
        return { code, stdout: String(out) };
      };
      const result = await loadForm({ url: formOf(own), perSecond: 200, requests: 20 }, EMAIL, operate);
      expect(result).toMatchObject({ requests: 20, statuses: { 202: 20 }, unsent: 0 });
      expect(during.filter(({ email, state }) => email === EMAIL && state === 'quarantined')).toHaveLength(21);
      expect(commands).toEqual(['retention', 'show', 'erase']);
      expect(await storedIn(own)).toEqual([{ email: VISITOR.email, state: 'pending' }]);
      expect([before.length, await notifications()]).toEqual([1, before]);

      await stack.startWorker();
      await stack.delivered(reference);
      expect(stack.mail.received.map(({ replyTo }) => replyTo?.text)).toEqual([expect.stringContaining(VISITOR.email)]);
    } finally {
      await own.close();
      await stack.close();
    }
  });

  it('erases its enquiries, and names the setting > the rate is limited', async () => {
    const own = await ApiServer.start(redis.url, { RATE_LIMIT_PER_MINUTE: 5 });
    try {
      const load = { url: formOf(own), perSecond: 50, requests: 50 };
      await expect(loadForm(load, EMAIL, operatorOf(own))).rejects.toThrow('set RATE_LIMIT_PER_MINUTE=3060');
      expect([await storedIn(own), commands]).toEqual([[], ['retention', 'show', 'erase']]);
    } finally {
      await own.close();
    }
  });

  it('erases its enquiries > it is interrupted', async () => {
    const stop = new AbortController();
    const operate: Operate = (args) => {
      setTimeout(() => stop.abort(), 50);
      return operatorOf(api)(args);
    };
    const load = { url: formOf(api), perSecond: 50, requests: 1_000, signal: stop.signal };
    expect((await loadForm(load, EMAIL, operate)).requests).toBeLessThan(1_000);
    expect(await storedIn(api)).toEqual([]);
  });

  it('sends nothing > the command fails', async () => {
    const load = { url: formOf(api), perSecond: 50, requests: 50 };
    const failing: Operate = async () => ({ code: undefined, stdout: '' });
    await expect(loadForm(load, EMAIL, failing)).rejects.toThrow('nothing was sent');
    expect(await storedIn(api)).toEqual([]);
  });

  it('sends one enquiry only > the command reaches another installation', async () => {
    const load = { url: formOf(api), perSecond: 50, requests: 50 };
    const elsewhere = operatorOf(api, 'elsewhere/submissions.db');
    await expect(loadForm(load, EMAIL, elsewhere)).rejects.toThrow(`submissions erase --email ${EMAIL} --yes`);
    expect(await storedIn(api)).toEqual([{ email: EMAIL, state: 'quarantined' }]);
  });

  it('sends one enquiry only, and erases it > it would be mailed', async () => {
    const operate: Operate = async (args) => {
      if (args[0] === 'show') await operatorOf(api)(['release', args[1] ?? '']);
      return operatorOf(api)(args);
    };
    const load = { url: formOf(api), perSecond: 50, requests: 50 };
    await expect(loadForm(load, EMAIL, operate)).rejects.toThrow(/is pending, so it may be mailed/);
    expect(await storedIn(api)).toEqual([]);
  });

  it('erases what may be stored > there was no response', async () => {
    const load = { url: new URL('http://127.0.0.1:1'), perSecond: 50, requests: 5 };
    await expect(loadForm(load, EMAIL, operatorOf(api), 1)).rejects.toThrow('not accepted');
    expect(commands).toEqual(['retention', 'erase']);
  });
});

describe('load on an own installation > a page', () => {
  it('only reads, and counts responses by status', async () => {
    const load = { url: new URL('/api/form-token', api.url), perSecond: 100, requests: 5 };
    expect(await loadPage(load)).toMatchObject({ requests: 5, statuses: { 200: 5 }, unsent: 0 });
    expect((await loadPage({ ...load, url: new URL('/nowhere', api.url) })).statuses).toEqual({ 404: 5 });
    expect(await storedIn(api)).toEqual([]);
  });
});
