import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { register } from 'prom-client';
import { AlertReceiver } from '../../test/alert-receiver.ts';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { MailServer } from '../../test/mail-server.ts';
import { setColumns, storeEnquiry } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { SITE_HOST } from '../../test/site-host.ts';
import { HOUR_MS } from '../settings/durations.ts';
import { readSettings } from '../settings/settings.ts';
import { HealthService } from '../health/health.service.ts';
import { bodyFor } from './alert-webhook.ts';
import { ALERTS, AlertsService } from './alerts.service.ts';
import { WAITS_MS } from '../outbox/leases.ts';
import { TaskRunner } from '../outbox/task-runner.ts';
import { Monitor } from '../health/monitor.service.ts';

let receiver: AlertReceiver;
let stack: DeliveryStack | undefined;

beforeEach(async () => {
  Logger.overrideLogger(false);
  receiver = await AlertReceiver.start();
});

afterEach(async () => {
  await stack?.close();
  stack = undefined;
  receiver.close();
});

describe('alerts > alert', () => {
  let alerts: AlertsService;

  beforeEach(() => {
    const settings = readSettings({ ALERT_WEBHOOK_URL: receiver.url, COMPANY_NAME: 'Firm' });
    alerts = new AlertsService(settings);
  });

  afterEach(() => {
    alerts.onModuleDestroy();
    register.resetMetrics();
  });

  const count = async (name: string, kind: string) =>
    new RegExp(`kitewright_${name}\\{kind="${kind}"\\} (\\d+)`).exec(await register.metrics())?.[1];

  it('is counted, and posted with references only > there is no Redis', async () => {
    // Counters start at 0, because Prometheus sees no increase in a series that begins with 1.
    for (const name of ['alerts_total', 'alerts_given_up_total'])
      for (const kind of Object.keys(ALERTS)) expect(await count(name, kind)).toBe('0');
    alerts.fire('submission-failed', 'KW-0000-0000-0000-0001');
    const post = await until('the post', () => receiver.posts[0]);
    expect(post).toMatchObject({
      kind: 'submission-failed',
      state: 'raised',
      count: 1,
      references: ['KW-0000-0000-0000-0001'],
      instance: SITE_HOST,
    });
    expect(post.text).toMatch(/^Firm forms: .*KW-0000-0000-0000-0001.* docs\/operations\.md#hr-got-nothing$/);
    expect(await count('alerts_total', 'submission-failed')).toBe('1');
  });

  it('names at most 50 references', async () => {
    const references = Array.from({ length: 51 }, (_, at) => `KW-${at}`);
    alerts.update('submission-overdue', references);
    const { text, ...post } = await until('the post', () => receiver.posts[0]);
    expect(post).toMatchObject({ count: 51, references: references.slice(0, 50) });
    expect(text).toContain('KW-48, KW-49 and 1 more (submission-overdue');
  });

  it('is logged and counted at once, and posted together > events follow while one is posted', async () => {
    const references = Array.from({ length: 5 }, (_, at) => `KW-${at}`);
    for (const reference of references) alerts.fire('submission-failed', reference);
    expect(await count('alerts_total', 'submission-failed')).toBe('5');
    const posted = () => receiver.posts.flatMap((post) => post.references);
    await until('the posts', () => posted().length === 5);
    expect([posted(), receiver.posts.length < 3]).toEqual([references, true]);
  });

  it('is posted at the begin, for new references, and at the end', async () => {
    for (const holds of [['a'], ['a'], ['a', 'b'], ['b'], []]) alerts.update('submission-overdue', holds);
    await until('the posts', () => receiver.stateOf('submission-overdue') === 'over');
    expect(await count('alerts_total', 'submission-overdue')).toBe('2');
    expect(alerts.activeKinds).toEqual([]);
    alerts.update('submission-overdue', ['c']);
    expect(alerts.activeKinds).toEqual(['submission-overdue']);
  });

  it('is posted again each hour, and its end has the duration', async () => {
    const hours = [0, 0.5, 0.99, 1, 1.5, 2, 2.99, 3];
    for (const hour of hours) alerts.update('backup-old', true, hour * HOUR_MS);
    await until('the posts', () => receiver.posts.length === 4);
    const repeated = receiver.posts.filter(({ state }) => state === 'still true').map(({ text }) => text);
    const minutes = repeated.map((text) => Number(/after (\d+) min/.exec(text)?.[1]));
    expect(minutes.toSorted((a, b) => a - b)).toEqual([60, 120, 180]);
    alerts.update('backup-old', false, 80 * HOUR_MS);
    const over = await until('the end', () => receiver.posts.find(({ state }) => state === 'over'));
    expect(over.text).toContain('Over after 4800 min: For more than two days');
  });

  it('ends a post that the receiver does not answer > it is over', () => {
    const silent = new Promise<Response>(() => undefined);
    const fetched = jest.spyOn(globalThis, 'fetch').mockReturnValue(silent);
    for (const holds of [true, false]) alerts.update('redis-away', holds);
    expect(fetched.mock.calls.map(([, post]) => post?.signal?.aborted)).toEqual([true, false]);
  });
});

describe('alerts > body of a post', () => {
  const text = 'x'.repeat(5_000);
  const alert = { kind: 'redis-away', state: 'raised', text, at: 0, instance: '', references: [], count: 1 } as const;

  it.each([
    ['Discord', 'discord.com', ['content']],
    ['Google Chat, which refuses unknown fields', 'chat.googleapis.com', ['text']],
    ['Slack', 'hooks.slack.com', ['text']],
    ['Teams', 'prod-12.westeurope.logic.azure.com', ['attachments', 'type']],
    ['Teams', 'a1.b2.environment.api.powerplatform.com', ['attachments', 'type']],
    ['Mattermost and programs', 'evil-discord.com', expect.arrayContaining(['kind', 'references', 'text'])],
  ])('has the fields of %s', (_chat, host, fields) => {
    expect(Object.keys(bodyFor(host, alert)).toSorted()).toEqual(fields);
  });

  it('has at most the 2000 characters that Discord accepts', () => {
    const { content } = bodyFor('discord.com', alert) as { content: string };
    expect(content).toHaveLength(2_000);
  });
});

describe('alerts > worker', () => {
  it('alerts that Redis is unavailable, and when it is back', async () => {
    stack = await DeliveryStack.start({ settings: { ALERT_WEBHOOK_URL: receiver.url } });
    const worker = await stack.startWorker();
    // The test runs the checks itself, with its own times.
    worker.get(TaskRunner).stop();
    const monitor = worker.get(Monitor);
    const isPosted = (state: string) =>
      receiver.posts.some((post) => post.kind === 'redis-away' && post.state === state);
    await stack.redis.stop();
    const now = performance.now();
    for (const seconds of [0, 10]) await monitor.check(now + seconds * 1_000);
    expect(worker.get(AlertsService, { strict: false }).activeKinds).not.toContain('redis-away');
    // A check runs some milliseconds earlier or later than its interval says.
    await monitor.check(now + 19_990);
    await until('the post', () => isPosted('raised'));
    await stack.redis.start();
    await until('the post that it is over', () => monitor.check(now + 40_000).then(() => isPosted('over')));
  });

  it('reports a wrong mail password before it sends a mail', async () => {
    const mail = await MailServer.start({
      disabledCommands: ['STARTTLS'],
      authOptional: false,
      onAuth: (_auth, _session, done) => done(null, {}),
    });
    const SMTP_URL = mail.url.replace('//', '//user:wrong@');
    stack = await DeliveryStack.start({ mail, settings: { SMTP_URL } });
    const worker = await stack.startWorker();
    const mailServer = await until('the health check', async () => {
      const { checks } = await worker.get(HealthService).report();
      return checks['mail server']?.status === 'down' && checks['mail server'];
    });
    expect(mailServer).toMatchObject({ cause: expect.stringContaining('Check user and password in SMTP_URL') });
    expect(mail.attempts).toBe(0);
  });

  it('posts an alert about a failed submission once > there are two workers', async () => {
    stack = await DeliveryStack.start({ settings: { ALERT_WEBHOOK_URL: receiver.url } });
    stack.mail.behaviour = { refuse: 'data', code: 554 };
    const ids = [await storeEnquiry(stack), await storeEnquiry(stack), await storeEnquiry(stack)];
    for (const id of ids) await setColumns(stack.database, id, { attempts: WAITS_MS.length });
    await Promise.all([stack.startWorker(), stack.startWorker()]);
    const posted = () =>
      receiver.posts.flatMap(({ kind, references }) => (kind === 'submission-failed' ? references : []));
    await until('the alerts', () => posted().length === ids.length);
    expect(posted().toSorted()).toEqual(ids.toSorted());
  });
});
