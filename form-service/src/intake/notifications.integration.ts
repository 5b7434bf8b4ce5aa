import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiServer } from '../../test/api-server.ts';
import { notificationsOf } from '../../test/notifications.ts';
import { RedisServer } from '../../test/redis-server.ts';
import type { Settings } from '../settings/settings.ts';
import { FORM_TOKEN_HEADER, IDEMPOTENCY_HEADER } from '../contract/protocol.ts';
import { FormTokenService } from './form-token.service.ts';
import { SERVICE } from '../../test/services.ts';

const ENQUIRY = {
  name: 'Ada',
  email: 'ada@visitor.example',
  service: SERVICE,
  message: 'We need a website.',
};

const WEBHOOK = { SUBMISSION_WEBHOOK_URL: 'https://crm.example/' };
const MINUTE_MS = 60_000;

let redis: RedisServer;
let api: ApiServer;
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(() => redis.stop());
afterEach(() => api.close());

const start = async (settings: Partial<Settings>) => {
  api = await ApiServer.start(redis.url, settings);
};

/** Returns the kinds of notifications of an enquiry. @param ageMs age of its form token */
async function kindsAfter(ageMs: number | 'no token' | 'forged', body: object = ENQUIRY): Promise<string[]> {
  const tokens = api.app.get(FormTokenService, { strict: false });
  const token = typeof ageMs === 'number' ? await tokens.issue(Date.now() - ageMs) : undefined;
  const forged = 'mfzz5k00.aaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaa';
  const headers = {
    [IDEMPOTENCY_HEADER]: randomUUID(),
    ...(ageMs !== 'no token' && { [FORM_TOKEN_HEADER]: token ?? forged }),
  };
  const answer = await api.postJson('/api/contact', body, headers);
  const { reference } = (await answer.json()) as { reference: string };
  return Object.keys(await notificationsOf(api.database, reference));
}

describe('notifications > new submission', () => {
  it('are none > by default', async () => {
    await start({});
    expect(await kindsAfter(MINUTE_MS)).toEqual([]);
  });

  it('include an acknowledgement > only with a valid form token', async () => {
    await start({ ACKNOWLEDGE: 'on' });
    expect(await kindsAfter(MINUTE_MS)).toEqual(['acknowledgement']);
    // A token issued an hour ahead counts as recent however long the request takes.
    for (const age of ['no token', 'forged', -60 * MINUTE_MS, 25 * 60 * MINUTE_MS] as const)
      expect(await kindsAfter(age)).toEqual([]);
  });

  it('include the webhook > with or without a token', async () => {
    await start({ ...WEBHOOK, ACKNOWLEDGE: 'on' });
    expect(await kindsAfter('no token')).toEqual(['webhook']);
    expect(await kindsAfter(MINUTE_MS)).toEqual(['acknowledgement', 'webhook']);
  });

  it('belong to their own submission > several in one INSERT', async () => {
    await start({ ...WEBHOOK, ACKNOWLEDGE: 'on' });
    const ages = Array.from({ length: 40 }, (_, index) => (index % 2 ? MINUTE_MS : ('no token' as const)));
    const kinds = await Promise.all(ages.map((age) => kindsAfter(age)));
    expect(kinds).toEqual(ages.map((age) => (age === MINUTE_MS ? ['acknowledgement', 'webhook'] : ['webhook'])));
  });
});
