import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiServer } from '../../test/api-server.ts';
import { RedisServer } from '../../test/redis-server.ts';
import { until } from '../../test/until.ts';
import { FORM_TOKEN_HEADER, type FormTokenAnswer } from '../contract/form-token.ts';
import { FormTokenService } from './form-token.service.ts';

const ENQUIRY = {
  name: 'Ada',
  email: 'ada@visitor.example',
  service: 'Web Development',
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
afterEach(() => Promise.all(apis.map((api) => api.close())));

const ask = async (api: ApiServer) => (await (await fetch(`${api.url}/api/form-token`)).json()) as FormTokenAnswer;

/** The token, once the replica has spoken with Redis. */
async function tokenOf(api: ApiServer): Promise<string> {
  await until('a token is issued', async () => (await ask(api)).token !== undefined);
  return (await ask(api)).token ?? '';
}

async function stateOf(api: ApiServer, body: object, headers: Record<string, string>): Promise<unknown> {
  const response = await api.postJson('/api/contact', body, headers);
  const { reference } = (await response.json()) as { reference: string };
  const found = await api.submissions.find(reference);
  return found?.state === 'quarantined' ? found.reasons : found?.state;
}

describe('GET /api/form-token', () => {
  it('GET /api/form-token answers a token that is not stored anywhere', async () => {
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

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('/api/form-token refuses the method %s', async (method) => {
    const response = await fetch(`${(await start()).url}/api/form-token`, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('/api/form-token answers HEAD without a body', async () => {
    const response = await fetch(`${(await start()).url}/api/form-token`, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});

describe('Form tokens of several replicas', () => {
  it('A token of one replica is valid at another, with an operator’s secret and without', async () => {
    for (const settings of [{}, { FORM_SECRET: 's'.repeat(32) }]) {
      const [one, other] = [await start(settings), await start(settings)];
      await tokenOf(other);
      const token = await tokenOf(one);
      // Just issued: the second replica can read that, or it would say that it is not ours.
      expect(await stateOf(other, WITH_MARKUP, { [FORM_TOKEN_HEADER]: token })).toEqual([
        'markup of a web page',
        'sent within seconds',
      ]);
    }
  });

  it('A replica that knows the secret issues and checks tokens while Redis is away', async () => {
    const own = await RedisServer.start();
    const api = await ApiServer.start(own.url);
    apis.push(api);
    const token = await tokenOf(api);
    await own.stop();
    expect((await ask(api)).token).toBeDefined();
    expect(await stateOf(api, WITH_MARKUP, { [FORM_TOKEN_HEADER]: token })).toEqual([
      'markup of a web page',
      'sent within seconds',
    ]);
  });
});

it('Without Redis and without a secret no token is issued, none is checked, and nobody is refused', async () => {
  const away = await ApiServer.start('redis://127.0.0.1:1');
  apis.push(away);
  expect(await ask(away)).toEqual({});
  expect(await stateOf(away, WITH_MARKUP, { [FORM_TOKEN_HEADER]: 'made up' })).toBe('pending');
});

describe('Forged form tokens', () => {
  it('A submission with a forged token is quarantined only where another signal is present', async () => {
    const api = await start({ FORM_SECRET: 's'.repeat(32) });
    const forged = { [FORM_TOKEN_HEADER]: 'mfzz5k00.aaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaa' };
    expect(await stateOf(api, ENQUIRY, forged)).toBe('pending');
    expect(await stateOf(api, WITH_MARKUP, forged)).toEqual(['markup of a web page', 'form token not ours']);
    expect(await stateOf(api, WITH_MARKUP, {})).toBe('pending');
  });
});

describe('Counters of several replicas', () => {
  const settings = { FORM_SECRET: 's'.repeat(32) };

  /** Submissions with the same headers, in turn to one replica and the other. */
  async function statesOf(headers: Record<string, string>, count: number, asked: typeof settings): Promise<unknown[]> {
    const replicas = [await start(asked), await start(asked)];
    for (const replica of replicas)
      await until(
        'Redis within reach',
        async () =>
          ((await (await fetch(`${replica.url}/health/ready`)).json()) as { checks: { redis: { status: string } } })
            .checks.redis.status === 'ok',
      );
    const states: unknown[] = [];
    for (let index = 0; index < count; index++)
      states.push(
        await stateOf(
          replicas[index % 2] as ApiServer,
          { ...WITH_MARKUP, message: `${WITH_MARKUP.message} ${index}` },
          headers,
        ),
      );
    return states;
  }

  it('A token counts as used often from the sixth submission on, whichever replica got it', async () => {
    const { FORM_SECRET } = settings;
    const token = await new FormTokenService({ current: async () => FORM_SECRET } as never, {} as never).issue(
      Date.now() - 60_000,
    );
    const often = ['markup of a web page', 'form token used often'];
    expect(await statesOf({ [FORM_TOKEN_HEADER]: token ?? '' }, 7, { FORM_SECRET })).toEqual([
      'pending',
      'pending',
      'pending',
      'pending',
      'pending',
      often,
      often,
    ]);
  });
});
