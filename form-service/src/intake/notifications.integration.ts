import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiServer } from '../../test/api-server.ts';
import { notificationsOf } from '../../test/notifications.ts';
import { RedisServer } from '../../test/redis-server.ts';
import { newEnquiry } from '../../test/submissions.ts';
import { DAY_MS, MINUTE_MS } from '../settings/durations.ts';
import type { Settings } from '../settings/settings.ts';
import { FORM_TOKEN_HEADER, IDEMPOTENCY_HEADER } from '../contract/protocol.ts';
import { FormTokenService } from './form-token.service.ts';

const WEBHOOK = { SUBMISSION_WEBHOOK_URL: 'https://crm.example/' };
/** Age of a form token. */
type Age = number | 'no token' | 'forged';

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
async function kindsAfter(ageMs: Age): Promise<string[]> {
  const tokens = api.app.get(FormTokenService, { strict: false });
  const token = typeof ageMs === 'number' ? await tokens.issue(Date.now() - ageMs) : undefined;
  const forged = 'mfzz5k00.aaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaa';
  const headers = {
    [IDEMPOTENCY_HEADER]: randomUUID(),
    ...(ageMs !== 'no token' && { [FORM_TOKEN_HEADER]: token ?? forged }),
  };
  const answer = await api.postJson('/api/contact', newEnquiry().fields, headers);
  const { reference } = (await answer.json()) as { reference: string };
  return Object.keys(await notificationsOf(api.database, reference));
}

describe('notifications > new submission', () => {
  // A token issued an hour ahead counts as recent however long the request takes.
  it.each<[string, Partial<Settings>, Age[], string[]]>([
    ['none > by default', {}, [MINUTE_MS], []],
    ['an acknowledgement > with a valid form token', { ACKNOWLEDGE: 'on' }, [MINUTE_MS], ['acknowledgement']],
    [
      'none > without a valid form token',
      { ACKNOWLEDGE: 'on' },
      ['no token', 'forged', -60 * MINUTE_MS, DAY_MS * 2],
      [],
    ],
    ['the webhook > with or without a token', WEBHOOK, [MINUTE_MS, 'no token'], ['webhook']],
  ])('are %s', async (_what, settings, ages, kinds) => {
    await start(settings);
    for (const age of ages) expect(await kindsAfter(age)).toEqual(kinds);
  });

  it('belong to their own submission > several in one INSERT', async () => {
    await start({ ...WEBHOOK, ACKNOWLEDGE: 'on' });
    const ages = Array.from({ length: 40 }, (_, index) => (index % 2 ? MINUTE_MS : ('no token' as const)));
    const kinds = await Promise.all(ages.map((age) => kindsAfter(age)));
    expect(kinds).toEqual(ages.map((age) => (age === MINUTE_MS ? ['acknowledgement', 'webhook'] : ['webhook'])));
  });
});
