import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { RedisServer } from '../../test/redis-server.ts';
import { until } from '../../test/until.ts';
import { RESUME_MAX_BYTES } from '../contract/protocol.ts';
import { KEY_PREFIX } from '../redis/redis-client.ts';
import { ClientLimits } from './client-limits.ts';

/** A busy machine must not make a replica count for itself. */
const PATIENT_MS = 120_000;

let redis: RedisServer;
let replicas: ClientLimits[];

beforeAll(async () => {
  redis = await RedisServer.start();
  const settings = { RATE_LIMIT_PER_MINUTE: 8, REDIS_URL: redis.url };
  replicas = [1, 2].map(() => new ClientLimits(settings, PATIENT_MS));
  for (const replica of replicas) await until('the connection', () => replica.redis.status === 'ready');
});
afterAll(async () => {
  for (const replica of replicas) replica.onApplicationShutdown();
  await redis.stop();
});

/** Counts in turn at both replicas. @returns the status of each count */
async function counted(times: number, count: (replica: ClientLimits) => Promise<void>): Promise<unknown[]> {
  const statuses: unknown[] = [];
  const statusOf = ({ status }: { status: number }) => status;
  for (let time = 0; time < times; time++)
    statuses.push(await count(replicas[time % 2] as ClientLimits).then(() => 'ok', statusOf));
  return statuses;
}

/** Milliseconds until the counter of a client ends. */
const rest = (name: string) => replicas[0]?.redis.pttl(`${KEY_PREFIX}:${name}:client`);

it('ClientLimits > two replicas > count the submissions of a minute together', async () => {
  const ok = Array<string>(8).fill('ok');
  expect(await counted(10, (replica) => replica.countSubmission('client'))).toEqual([...ok, 429, 429]);
  expect(await counted(2, (replica) => replica.countSubmission('another'))).toEqual(['ok', 'ok']);
  const ms = await rest('rate');
  expect(ms).toBeGreaterThan(30_000);
  expect(ms).toBeLessThanOrEqual(60_000);
});

it('ClientLimits > two replicas > count bytes of an hour, for as many of the largest files', async () => {
  const statuses = await counted(4, (replica) => replica.countBytes('client', 3 * RESUME_MAX_BYTES));
  expect(statuses).toEqual(['ok', 'ok', 429, 429]);
  const ms = await rest('upload-bytes');
  expect(ms).toBeGreaterThan(3_500_000);
  expect(ms).toBeLessThanOrEqual(3_600_000);
});
