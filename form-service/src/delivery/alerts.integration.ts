import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { MailServer } from '../../test/mail-server.ts';
import { ServiceProcess } from '../../test/service-process.ts';
import { RedisServer } from '../../test/redis-server.ts';
import { storeEnquiry } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { readSettings } from '../config/settings.ts';
import { AlertsProcessor, bodyOf } from './alerts.processor.ts';
import { AlertsService } from './alerts.service.ts';
import { DeliveryMetrics } from './delivery.metrics.ts';

type Post = ReturnType<typeof bodyOf>;

let receiver: Server;
/** The status that the receiver answers a kind with; 200 where none is named. */
let statuses: Record<string, number>;
let posts: Post[];
let refused: string[];
let url: string;
let redis: RedisServer;
let registry: Registry;
let alerts: AlertsService;
let processor: AlertsProcessor;

beforeEach(async () => {
  Logger.overrideLogger(false);
  [statuses, posts, refused] = [{}, [], []];
  receiver = createServer((request, response) => {
    void json(request).then((body) => {
      const post = body as Post;
      const status = statuses[post.kind] ?? 200;
      if (status === 200) posts.push(post);
      else refused.push(post.kind);
      response.writeHead(status).end();
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  redis = await RedisServer.start();
  registry = new Registry();
  const settings = readSettings({ REDIS_URL: redis.url, ALERT_WEBHOOK_URL: url, INSTANCE: 'test' });
  const metrics = new DeliveryMetrics(registry);
  alerts = new AlertsService(settings, metrics);
  processor = new AlertsProcessor(settings, metrics);
  processor.onApplicationBootstrap();
  // The connection is made in the background.
  await until('Redis', () =>
    alerts.raise('task-stalled').then(
      () => true,
      () => false,
    ),
  );
  await until('the first alert', () => posts.length === 1);
  posts = [];
});

afterEach(async () => {
  await processor.beforeApplicationShutdown();
  await alerts.onApplicationShutdown();
  await redis.stop();
  receiver.closeAllConnections();
  receiver.close();
});

describe('An alert', () => {
  it('An alert is counted, and posted with references only, as text and as fields', async () => {
    await alerts.raise('submission-failed', ['KW-0000-0000-0000-0001']);
    const post = await until('a post', () => posts[0]);
    expect(post).toMatchObject({
      kind: 'submission-failed',
      count: 1,
      references: ['KW-0000-0000-0000-0001'],
      instance: 'test',
    });
    expect(post.text).toContain('KW-0000-0000-0000-0001');
    expect(post.content).toBe(post.text);
    expect(await registry.metrics()).toContain('kitewright_alerts_total{kind="submission-failed"} 1\n');
  });

  it('An alert reaches a receiver that was away', async () => {
    statuses['disk-nearly-full'] = 500;
    await alerts.raise('disk-nearly-full');
    await until('a refusal', () => refused.length > 0);
    statuses = {};
    expect((await until('a post', () => posts[0])).kind).toBe('disk-nearly-full');
  });

  it('The count of alerts that were given up starts at zero, so that an alarm sees the first', async () => {
    expect(await registry.metrics()).toContain('kitewright_alerts_given_up_total{kind="submission-failed"} 0\n');
  });

  it('An alert that the receiver refuses delays no other, and is given up and counted', async () => {
    statuses['submission-failed'] = 400;
    await alerts.raise('submission-failed', ['KW-0000-0000-0000-0001']);
    await until('a refusal', () => refused.length > 0);
    await alerts.raise('storage-unavailable');
    expect((await until('the other', () => posts[0])).kind).toBe('storage-unavailable');
    await until('the end of the first', async () =>
      (await registry.metrics()).includes('kitewright_alerts_given_up_total{kind="submission-failed"} 1\n'),
    );
    expect(refused).toHaveLength(3);
  });

  it('A condition is raised once, again for new references, and again after it ended', async () => {
    for (const holds of [['a'], ['a'], ['a', 'b'], ['b'], []]) await alerts.report('submission-overdue', holds);
    await until('the posts', () => posts.length >= 2);
    expect(posts.map(({ references }) => references)).toEqual([['a'], ['b']]);
    await alerts.report('submission-overdue', ['c']);
    expect(alerts.causes).toEqual(['submission-overdue']);
  });

  it('An alert names at most 50 references and stays within the limits of chats', () => {
    const references = Array.from({ length: 50 }, (_, index) => `KW-0000-0000-0000-${1000 + index}`);
    const body = bodyOf({ kind: 'submission-overdue', at: 0, instance: 'test', count: 5_000, references });
    expect(body.text).toContain('4950 more');
    expect(body.content.length).toBeLessThanOrEqual(2_000);
  });
});

describe('An alert about a failed submission', () => {
  it('An alert arrives once although the worker is killed before the webhook took it', async () => {
    const stack = await DeliveryStack.start({
      redis,
      mail: await MailServer.start(),
      settings: { ALERT_WEBHOOK_URL: url },
    });
    stack.mail.behaviour = { refuse: 'data', code: 550 };
    await processor.beforeApplicationShutdown();
    statuses['submission-failed'] = 503;
    const first = await ServiceProcess.start('worker', stack.environment);
    const id = await storeEnquiry(stack);
    await until('an attempt at the webhook', () => refused.length > 0);
    await first.end('SIGKILL');
    statuses = {};
    const second = await ServiceProcess.start('worker', stack.environment);
    try {
      await until('the alert', () => posts.some(({ references }) => references.includes(id)), 60_000);
      expect(posts.filter(({ references }) => references.includes(id))).toHaveLength(1);
    } finally {
      await second.end('SIGKILL');
      await stack.close();
    }
  });
});
