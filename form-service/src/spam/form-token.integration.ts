import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiServer } from '../../test/api-server.ts';
import { RedisServer } from '../../test/redis-server.ts';
import { FORM_TOKEN_HEADER, type FormTokenAnswer } from '../contract/protocol.ts';
import { KEY_PREFIX } from '../redis/redis-client.ts';
import { SharedRedis } from '../redis/shared-redis.service.ts';
import { FormTokenService } from './form-token.service.ts';
import { SERVICE } from '../../test/services.ts';

const ENQUIRY = {
  name: 'Ada',
  email: 'ada@visitor.example',
  service: SERVICE,
  message: 'We need a website.',
};
const WITH_MARKUP = { ...ENQUIRY, message: 'Our page says <script> and then nothing more.' };

let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(() => redis.stop());

let apis: ApiServer[] = [];
const start = async (settings: Parameters<typeof ApiServer.start>[1] = {}) => {
  const api = await ApiServer.start(redis.url, settings);
  apis.push(api);
  return api;
};
beforeEach(() => {
  apis = [];
});
afterEach(async () => {
  for (const api of apis) await api.close();
});

const ask = async (api: ApiServer) => (await (await fetch(`${api.url}/api/form-token`)).json()) as FormTokenAnswer;

async function tokenOf(api: ApiServer): Promise<string> {
  return (await ask(api)).token ?? '';
}

async function stateOf(api: ApiServer, body: object, headers: Record<string, string>): Promise<unknown> {
  const response = await api.postJson('/api/contact', body, headers);
  const { reference } = (await response.json()) as { reference: string };
  const found = await api.submissions.find(reference);
  return found?.state === 'quarantined' ? found.reasons : found?.state;
}

describe('form tokens > GET /api/form-token', () => {
  it('answers with a token that is not stored anywhere', async () => {
    const api = await start();
    await tokenOf(api);
    const response = await fetch(`${api.url}/api/form-token`);
    expect([response.status, response.headers.get('cache-control'), response.headers.get('set-cookie')]).toEqual([
      200,
      'no-store',
      null,
    ]);
    expect(await response.json()).toEqual({ token: expect.stringMatching(/^[\w.-]{44,46}$/) });
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('rejects the method %s', async (method) => {
    const response = await fetch(`${(await start()).url}/api/form-token`, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('answers HEAD without a body', async () => {
    const response = await fetch(`${(await start()).url}/api/form-token`, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});

describe('form tokens', () => {
  it('are valid on another replica and after a restart > without Redis', async () => {
    const one = await ApiServer.start('redis://127.0.0.1:1');
    const settings = { DATABASE_URL: `file:${one.database.file}`, RESUMES_URL: `file:${one.folder}/resumes` };
    const other = await ApiServer.start('redis://127.0.0.1:1', settings);
    apis.push(other, one);
    // Issued an hour ahead, so that it counts as recent however long the restart takes.
    const token = (await one.app.get(FormTokenService).issue(Date.now() + 3_600_000)) ?? '';
    const justIssued = ['markup of a web page', 'sent within seconds'];
    expect(await stateOf(other, WITH_MARKUP, { [FORM_TOKEN_HEADER]: token })).toEqual(justIssued);
    const restarted = await ApiServer.start('redis://127.0.0.1:1', settings);
    apis.unshift(restarted);
    expect(await stateOf(restarted, WITH_MARKUP, { [FORM_TOKEN_HEADER]: token })).toEqual(justIssued);
  });

  it('quarantine a submission > forged, and another signal is present', async () => {
    const api = await start();
    const forged = { [FORM_TOKEN_HEADER]: 'mfzz5k00.aaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaa' };
    expect(await stateOf(api, ENQUIRY, forged)).toBe('pending');
    expect(await stateOf(api, WITH_MARKUP, forged)).toEqual(['markup of a web page', 'form token not ours']);
    expect(await stateOf(api, WITH_MARKUP, {})).toBe('pending');
  });

  it('are accepted overnight, and a signal > another signal is present', async () => {
    const api = await start();
    const token = (await api.app.get(FormTokenService).issue(Date.now() - 30 * 3_600_000)) ?? '';
    expect(await stateOf(api, ENQUIRY, { [FORM_TOKEN_HEADER]: token })).toBe('pending');
    const links = { ...WITH_MARKUP, message: `${WITH_MARKUP.message} https://a.example` };
    expect(await stateOf(api, links, { [FORM_TOKEN_HEADER]: token })).toContain('form token of long ago');
  });

  it('count as used often > from the sixth submission on, at any replica', async () => {
    const one = await start();
    const database = { DATABASE_URL: `file:${one.database.file}`, RESUMES_URL: `file:${one.folder}/resumes` };
    const replicas = [one, await start(database)];
    apis.reverse();
    for (const replica of replicas) await replica.countsInRedis();
    const token = await one.app.get(FormTokenService).issue(Date.now() - 60_000);
    const states: unknown[] = [];
    for (let index = 0; index < 7; index++) {
      const enquiry = { ...WITH_MARKUP, message: `${WITH_MARKUP.message} ${index}` };
      states.push(await stateOf(replicas[index % 2] as ApiServer, enquiry, { [FORM_TOKEN_HEADER]: token ?? '' }));
    }
    const often = ['markup of a web page', 'form token used often'];
    expect(states).toEqual([...Array<string>(5).fill('pending'), often, often]);
    // The count is of an hour.
    const { client } = one.app.get(SharedRedis, { strict: false });
    const rests = (await client.keys(`${KEY_PREFIX}:tokens:*`)).map((key) => client.pttl(key));
    const [rest = 0] = (await Promise.all(rests)).toSorted((a, b) => b - a);
    expect([rest > 3_500_000, rest <= 3_600_000]).toEqual([true, true]);
  });
});
