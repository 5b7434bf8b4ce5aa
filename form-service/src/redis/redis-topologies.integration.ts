import { Logger } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ApiServer } from '../../test/api-server.ts';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { RedisTopology } from '../../test/redis-topology.ts';
import { until } from '../../test/until.ts';

Logger.overrideLogger(false);

const ENQUIRY = {
  name: 'Ada Example',
  email: 'ada@visitor.example',
  phone: '',
  service: 'Web Development',
  message: 'We need a new website.',
};
/** A count that an api keeps alone, because Redis was slow once, lets a few more through; two that never met would let twice as many. */
const LIMIT = 12;
const SHARED_MOST = 18;

describe('Topologies of Redis', () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).toReversed()) await one.close();
  });

  /** A worker and two apis, all of them on one Redis and one store. */
  async function startOn(topology: RedisTopology) {
    open.push({ close: () => topology.stop() });
    const stack = await DeliveryStack.start({ settings: topology.settings });
    open.push(stack);
    await stack.startWorker();
    const settings = { ...topology.settings, DATABASE_URL: stack.settings.DATABASE_URL, RATE_LIMIT_PER_MINUTE: LIMIT };
    const apis = [
      await ApiServer.start(topology.settings.REDIS_URL, { ...settings, INSTANCE: 'api-1' }),
      await ApiServer.start(topology.settings.REDIS_URL, { ...settings, INSTANCE: 'api-2' }),
    ];
    open.push(...apis);
    for (const { url } of apis)
      await until(
        'an api that is connected',
        async () =>
          ((await (await fetch(`${url}/health/ready`)).json()) as { checks: { redis: { status: string } } }).checks
            .redis.status === 'ok',
      );
    const send = (index: number, message = ENQUIRY.message) =>
      apis[index]?.postJson('/api/contact', { ...ENQUIRY, message });
    return { mail: stack.mail, send };
  }

  it.each([
    ['behind TLS and a password', RedisTopology.withTls],
    ['found through Sentinel', RedisTopology.withSentinel],
    ['as a cluster', RedisTopology.asCluster],
  ])('%s carries jobs, and the counters that apis share', async (_name, start) => {
    const { mail, send } = await startOn(await start());
    let accepted = 0;
    while ((await send(accepted % 2))?.status === 202) accepted++;
    expect(accepted).toBeGreaterThanOrEqual(LIMIT);
    expect(accepted).toBeLessThanOrEqual(SHARED_MOST);
    await until('all mails', () => mail.received.length === accepted);
  });

  it('The connection follows a failover to the replica that became the primary', async () => {
    const topology = await RedisTopology.withSentinel();
    const { mail, send } = await startOn(topology);
    expect((await send(0, 'Before the server died.'))?.status).toBe(202);
    await until('the first mail', () => mail.received.length === 1);
    await topology.killFirst();
    expect((await send(1, 'While nobody was there.'))?.status).toBe(202);
    await until('the second mail', () => mail.received.length === 2, 45_000);
    expect(mail.received[1]?.text).toContain('While nobody was there.');
  });
});
