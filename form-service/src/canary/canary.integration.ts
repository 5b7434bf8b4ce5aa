import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { ApiServer } from '../../test/api-server.ts';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { MailServer } from '../../test/mail-server.ts';
import { RedisServer } from '../../test/redis-server.ts';
import { until } from '../../test/until.ts';
import { DeliveryMonitor } from '../delivery/delivery.monitor.ts';
import { CanaryService } from './canary.service.ts';
import { canaryKey } from './canary-key.ts';

const SECRET = 'a secret of thirty-two characters';
const INBOX = 'canary@kitewright.example';
const HOUR = { CANARY_INTERVAL_MINUTES: 60, CANARY_SECRET: SECRET, CANARY_INBOX: INBOX };
const ENQUIRY = {
  name: 'Ada Example',
  email: 'ada@visitor.example',
  phone: '',
  service: 'Web Development',
  message: 'We need a new website.',
};

let api: ApiServer;
let stack: DeliveryStack;

/** The api and the worker of one product: one store, one Redis. */
async function start(mail: MailServer): Promise<void> {
  const redis = await RedisServer.start();
  api = await ApiServer.start(redis.url, { CANARY_SECRET: SECRET });
  stack = await DeliveryStack.start({
    redis,
    mail,
    settings: { ...HOUR, CANARY_URL: api.url, DATABASE_URL: `file:${api.folder}/submissions.db` },
  });
}

afterEach(async () => {
  await stack.close();
  await api.close();
});

const sample = async (registry: Pick<Registry, 'metrics'>, series: string) => {
  const line = (await registry.metrics()).split('\n').find((one) => one.startsWith(`${series} `));
  return line && Number(line.slice(series.length + 1));
};

describe('The canary', () => {
  it('The canary reaches its own inbox once, however many workers send it', async () => {
    await start(await MailServer.start());
    const workers = await Promise.all([stack.startWorker(), stack.startWorker()]);
    for (const worker of workers) {
      const registry = worker.get(Registry);
      await until('a canary that arrived', () =>
        sample(registry, 'kitewright_canary_attempts_total{outcome="delivered"}'),
      );
      expect(await sample(registry, 'kitewright_canary_seconds')).toBeGreaterThan(0);
      expect(await sample(registry, 'kitewright_canary_last_success_timestamp_seconds')).toBeCloseTo(
        Date.now() / 1_000,
        -2,
      );
      expect(await sample(registry, 'kitewright_canary_interval_seconds')).toBe(3_600);
    }
    expect(stack.mail.recipients).toEqual([INBOX]);
    const text = await (await fetch(`${api.url}/metrics`)).text();
    expect(text).toMatch(/kitewright_submissions_total\{form="canary",outcome="accepted"\} 1\n/);
    expect(text).toContain('kitewright_submissions_total{form="contact",outcome="accepted"} 0\n');
  });

  it('A canary is distinguished from what visitors send, and cannot be forged', async () => {
    await start(await MailServer.start());
    await stack.startWorker();
    const forged = await api.postJson('/api/contact', ENQUIRY, {
      'Idempotency-Key': canaryKey('another secret of 32 characters!', 1_800_000_000),
    });
    expect(forged.status).toBe(400);
    const { reference } = (await (await api.postJson('/api/contact', ENQUIRY)).json()) as { reference: string };
    await until('both mails', () => stack.mail.received.length === 2);
    const subjects = new Map(
      stack.mail.received.map(({ subject, to }) => [to && 'text' in to ? to.text : '', subject]),
    );
    expect(subjects.get('hello@kitewright.example')).toContain(reference);
    expect(subjects.get(INBOX)).toContain('from Canary');
    expect(await api.submissions.find(reference)).toMatchObject({ canary: false });
  });

  it('An alert is raised when no canary has arrived for too long', async () => {
    await start(await MailServer.reserve());
    const worker = await stack.startWorker();
    await pause(500);
    const canary = worker.get(CanaryService, { strict: false });
    expect(canary.isOverdue(Date.now() + 2 * 3_600_000)).toBe(false);
    const late = Date.now() + 2 * 3_600_000 + 6 * 60_000;
    expect(canary.isOverdue(late)).toBe(true);
    await worker.get(DeliveryMonitor, { strict: false }).check(late);
    expect(await sample(worker.get(Registry), 'kitewright_alerts_total{kind="canary-overdue"}')).toBe(1);
    expect(await sample(worker.get(Registry), 'kitewright_canary_attempts_total{outcome="delivered"}')).toBe(0);
  });

  it('A canary that cannot reach the site is counted as unreachable', async () => {
    const redis = await RedisServer.start();
    api = await ApiServer.start(redis.url);
    stack = await DeliveryStack.start({
      redis,
      settings: { ...HOUR, CANARY_URL: 'http://127.0.0.1:1', DATABASE_URL: `file:${api.folder}/submissions.db` },
    });
    const registry = (await stack.startWorker()).get(Registry);
    await until('an attempt', () => sample(registry, 'kitewright_canary_attempts_total{outcome="unreachable"}'));
  });

  it('A canary of another secret is refused, and never reaches sales', async () => {
    const redis = await RedisServer.start();
    api = await ApiServer.start(redis.url);
    stack = await DeliveryStack.start({
      redis,
      settings: { ...HOUR, CANARY_URL: api.url, DATABASE_URL: `file:${api.folder}/submissions.db` },
    });
    const registry = (await stack.startWorker()).get(Registry);
    await until('an attempt', () => sample(registry, 'kitewright_canary_attempts_total{outcome="refused"}'));
    expect(await api.pendingIds()).toEqual([]);
  });
});
