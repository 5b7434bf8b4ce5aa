import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { register } from 'prom-client';
import { AlertReceiver } from '../../test/alert-receiver.ts';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { MailServer } from '../../test/mail-server.ts';
import { ServiceProcess } from '../../test/service-process.ts';
import { storeEnquiry } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { readSettings } from '../config/settings.ts';
import { HealthService } from '../observability/health.service.ts';
import { bodyFor } from './alert-webhook.ts';
import { ALERTS, AlertsService } from './alerts.service.ts';

const HOUR_MS = 3_600_000;

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

describe('An alert', () => {
  let alerts: AlertsService;

  beforeEach(() => {
    const settings = readSettings({ ALERT_WEBHOOK_URL: receiver.url, INSTANCE: 'test', COMPANY_NAME: 'Firm' });
    alerts = new AlertsService(settings);
  });

  afterEach(() => {
    alerts.onModuleDestroy();
    register.resetMetrics();
  });

  const count = async (name: string, kind: string) =>
    new RegExp(`kitewright_${name}\\{kind="${kind}"\\} (\\d+)`).exec(await register.metrics())?.[1];

  it('An alert is counted, and posted with references only, without Redis', async () => {
    // Each kind is counted from 0 on: Prometheus sees no increase in a series that begins with 1.
    for (const name of ['alerts_total', 'alerts_given_up_total'])
      for (const kind of Object.keys(ALERTS)) expect(await count(name, kind)).toBe('0');
    expect(await alerts.fire('submission-failed', ['KW-0000-0000-0000-0001'])).toBe(true);
    const [post] = receiver.posts;
    expect(post).toMatchObject({
      kind: 'submission-failed',
      state: 'raised',
      count: 1,
      references: ['KW-0000-0000-0000-0001'],
      instance: 'test',
    });
    expect(post?.text).toMatch(/^Firm forms: .*KW-0000-0000-0000-0001/);
    expect(await count('alerts_total', 'submission-failed')).toBe('1');
  });

  it('An alert reaches a receiver that was away', async () => {
    receiver.statuses = { 'disk-nearly-full': 500 };
    alerts.update('disk-nearly-full', true);
    await until('a refusal', () => receiver.refused.length > 0);
    expect(await count('alerts_total', 'disk-nearly-full')).toBe('1');
    receiver.statuses = {};
    expect((await until('a post', () => receiver.posts[0])).kind).toBe('disk-nearly-full');
  });

  it('An alert that the receiver refuses delays no other, and is given up and counted', async () => {
    receiver.statuses = { 'submission-failed': 400 };
    const refused = alerts.fire('submission-failed', ['KW-0000-0000-0000-0001']);
    await until('a refusal', () => receiver.refused.length > 0);
    alerts.update('storage-unavailable', true);
    expect((await until('the other', () => receiver.posts[0])).kind).toBe('storage-unavailable');
    await refused;
    expect(await count('alerts_given_up_total', 'submission-failed')).toBe('1');
    expect(receiver.refused).toHaveLength(3);
  });

  it('A condition is posted once, again for new references, and once more when it is over', async () => {
    for (const holds of [['a'], ['a'], ['a', 'b'], ['b'], []]) alerts.update('submission-overdue', holds);
    await until('the posts', () => receiver.posts.length >= 1 && receiver.stateOf('submission-overdue') === 'over');
    expect(await count('alerts_total', 'submission-overdue')).toBe('2');
    expect(alerts.activeKinds).toEqual([]);
    alerts.update('submission-overdue', ['c']);
    expect(alerts.activeKinds).toEqual(['submission-overdue']);
  });

  it('A condition that still holds after an hour is posted again, and its end says how long it took', async () => {
    for (const minutes of [0, 30, 59, 60, 61, 119, 120])
      alerts.update('redis-away', true, Date.UTC(2026, 0, 1) + (minutes * HOUR_MS) / 60);
    await until('three posts', () => receiver.posts.length === 3);
    expect(receiver.posts.map(({ state }) => state).toSorted()).toEqual(['raised', 'still true', 'still true']);
    alerts.update('redis-away', false, Date.UTC(2026, 0, 1) + 2.5 * HOUR_MS);
    const over = await until('the end', () => receiver.posts.find(({ state }) => state === 'over'));
    expect(over.text).toContain('Over after 150 min: Redis');
  });

  it('What the receiver has not taken yet is not posted any more once it is over', async () => {
    receiver.statuses = { 'redis-away': 503 };
    alerts.update('redis-away', true);
    await until('a refusal', () => receiver.refused.length > 0);
    alerts.update('redis-away', false);
    receiver.statuses = {};
    await until('the end', () => receiver.posts.length > 0);
    expect(receiver.posts.map(({ state }) => state)).toEqual(['over']);
  });
});

describe('The body of a post', () => {
  const alert = {
    kind: 'submission-overdue',
    state: 'raised',
    text: 'x'.repeat(5_000),
    at: 0,
    instance: 'test',
    references: ['KW-0000-0000-0000-0001'],
    count: 1,
  } as const;

  it.each([
    ['Discord', 'discord.com', ['content']],
    ['Google Chat, which refuses unknown fields', 'chat.googleapis.com', ['text']],
    ['Slack', 'hooks.slack.com', ['text']],
    ['Teams', 'prod-12.westeurope.logic.azure.com', ['attachments', 'type']],
    ['Teams', 'a1.b2.environment.api.powerplatform.com', ['attachments', 'type']],
    [
      'Mattermost and programs',
      'chat.firm.example',
      ['at', 'count', 'instance', 'kind', 'references', 'service', 'state', 'text'],
    ],
    ['A host that only looks like a chat', 'evil-discord.com', expect.arrayContaining(['kind', 'text'])],
  ])('%s gets the fields that it takes', (_chat, host, fields) => {
    expect(Object.keys(bodyFor(host, alert)).toSorted()).toEqual(fields);
  });

  it('No text is longer than the 2000 characters that Discord takes', () => {
    const { content } = bodyFor('discord.com', alert) as { content: string };
    expect(content).toHaveLength(2_000);
  });
});

describe('The worker', () => {
  it('Somebody is told that Redis is away, and again when it is back', async () => {
    stack = await DeliveryStack.start({ settings: { ALERT_WEBHOOK_URL: receiver.url } });
    await stack.startWorker();
    await stack.redis.stop();
    const away = await until('the post', () => receiver.posts.find(({ kind }) => kind === 'redis-away'));
    expect(away.state).toBe('raised');
    await stack.redis.start();
    await until('the post that it is over', () => receiver.stateOf('redis-away') === 'over');
  });

  it('Somebody is told of a wrong password before anything is sent, and health says why', async () => {
    const mail = await MailServer.start({
      disabledCommands: ['STARTTLS'],
      authOptional: false,
      onAuth: (_auth, _session, done) => done(null, {}),
    });
    const SMTP_URL = mail.url.replace('//', '//user:wrong@');
    stack = await DeliveryStack.start({ mail, settings: { ALERT_WEBHOOK_URL: receiver.url, SMTP_URL } });
    const worker = await stack.startWorker();
    const post = await until('the post', () => receiver.posts.find(({ kind }) => kind === 'mail-server-away'));
    expect(post.state).toBe('raised');
    const { checks } = await worker.get(HealthService).report();
    expect(checks['mail server']).toMatchObject({
      status: 'down',
      cause: expect.stringContaining('Check user and password in SMTP_URL'),
    });
    expect(mail.attempts).toBe(0);
  });

  it('An alert about a failed submission arrives although the worker is killed before the webhook took it', async () => {
    stack = await DeliveryStack.start({ settings: { ALERT_WEBHOOK_URL: receiver.url } });
    stack.mail.behaviour = { refuse: 'data', code: 550 };
    receiver.statuses = { 'submission-failed': 503 };
    const first = await ServiceProcess.start('worker', stack.environment);
    const id = await storeEnquiry(stack);
    await until('an attempt at the webhook', () => receiver.refused.length > 0);
    await first.end('SIGKILL');
    receiver.statuses = {};
    const second = await ServiceProcess.start('worker', stack.environment);
    try {
      const isTold = () => receiver.posts.filter(({ references }) => references.includes(id));
      await until('the alert', () => isTold().length > 0);
      await until('the mark to be cleared', async () => {
        const due = (db: Parameters<Parameters<DeliveryStack['database']['run']>[0]>[0]) =>
          db.selectFrom('submissions').select('id').where('alertDue', '=', 1).execute();
        return (await stack?.database.run(due))?.length === 0;
      });
      expect(isTold()).toHaveLength(1);
    } finally {
      await second.end('SIGKILL');
    }
  });
});
