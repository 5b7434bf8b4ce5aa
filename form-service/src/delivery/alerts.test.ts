import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { until } from '../../test/until.ts';
import { AlertWebhook, type AlertPost } from './alert-webhook.ts';
import { Alerts } from './alerts.ts';
import { DeliveryMetrics } from './delivery-metrics.ts';

let server: Server;
let status: number;
let posts: AlertPost[];
let refusals: number;
let webhook: AlertWebhook;
let alerts: Alerts;
let registry: Registry;

beforeEach(async () => {
  Logger.overrideLogger(false);
  status = 200;
  posts = [];
  refusals = 0;
  server = createServer((request, response) => {
    void json(request).then((body) => {
      if (status === 200) posts.push(body as AlertPost);
      else refusals++;
      response.writeHead(status).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  webhook = new AlertWebhook({ ALERT_WEBHOOK_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, INSTANCE: 'test' });
  registry = new Registry();
  alerts = new Alerts(new DeliveryMetrics(registry), webhook);
});

afterEach(() => {
  webhook.onModuleDestroy();
  server.closeAllConnections();
  server.close();
});

const counted = async (kind: string) => (await registry.metrics()).includes(`kitewright_alerts_total{kind="${kind}"} 1\n`);

describe('alerts', () => {
  it('are counted and posted with references only', async () => {
    alerts.raise('submission-failed', ['KW-0000-0000-0000-0001']);
    await until('a post', () => posts.length === 1);
    expect(posts[0]).toEqual({
      service: 'kitewright-forms',
      instance: 'test',
      alerts: [{ kind: 'submission-failed', count: 1, references: ['KW-0000-0000-0000-0001'] }],
    });
    expect(await counted('submission-failed')).toBe(true);
  });

  it('reach a receiver that was away', async () => {
    status = 500;
    alerts.raise('disk-nearly-full');
    await until('a refusal', () => refusals > 0);
    status = 200;
    expect((await until('a post', () => posts[0])).alerts).toEqual([{ kind: 'disk-nearly-full', count: 1, references: [] }]);
  });

  it('that stand are raised once, again for what joins, and anew after they ended', async () => {
    const raised: (readonly string[])[] = [];
    const counting = new Alerts(new DeliveryMetrics(new Registry()), { post: (_kind: string, references: readonly string[]) => raised.push(references) } as unknown as AlertWebhook);
    for (const holds of [['a'], ['a'], ['a', 'b'], ['b'], [], ['a']]) counting.report('submission-overdue', holds);
    expect(raised).toEqual([['a'], ['b'], ['a']]);
    expect(counting.causes).toEqual(['submission-overdue']);
    for (const holds of [true, true, false]) counting.report('disk-nearly-full', holds);
    expect(raised).toHaveLength(4);
    expect(counting.causes).toEqual(['submission-overdue']);
  });
});
