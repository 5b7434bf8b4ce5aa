import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { notificationsOf, makeNotificationsDue } from '../../test/notifications.ts';
import { storeApplication, storeEnquiry } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { WebhookReceiver } from '../../test/webhook-receiver.ts';
import { HealthService } from '../health/health.service.ts';
import { AlertsService } from '../alerts/alerts.service.ts';
import { Monitor } from '../health/monitor.service.ts';
import { NotificationsRepository } from '../outbox/notifications.repository.ts';
import { NotificationsService } from './notifications.service.ts';
import { refuseInside, Webhook } from './webhook.service.ts';

const POSTED = { notifications: ['webhook'] as const };

let stack: DeliveryStack;
let receiver: WebhookReceiver;

beforeEach(async () => {
  receiver = await WebhookReceiver.start();
});
afterEach(async () => {
  receiver.close();
  await stack.close();
});

const start = async (settings: Parameters<typeof DeliveryStack.start>[0] = {}) => {
  stack = await DeliveryStack.start({ ...settings, settings: { ...receiver.settings, ...settings.settings } });
};
/** Starts a worker whose posts have more time than a busy machine needs. */
const startWorker = async () => {
  const worker = await stack.startWorker();
  worker.get(Webhook).timeoutMs = 120_000;
  return worker;
};
const webhookOf = async (id: string) => (await notificationsOf(stack.database, id))['webhook'];
const isSettled = async (id: string) => !(await webhookOf(id))?.startsWith('pending');
const subjects = () => stack.mail.received.map(({ subject }) => subject);

describe('webhook', () => {
  it('gets each submission once, signed, with its fields and without the file', async () => {
    await start({ settings: { INBOX_USERS: [], SITE_URL: 'https://firm.example' } });
    const enquiry = await storeEnquiry(stack, { message: 'A "quoted" message, שלום' }, POSTED);
    const application = await storeApplication(stack, Buffer.from('%PDF-1.7 secret bytes'), POSTED);
    await storeEnquiry(stack, {}, { ...POSTED, quarantined: true });
    await startWorker();
    for (const id of [enquiry, application]) await until(`${id} posted`, () => isSettled(id));
    expect(await webhookOf(enquiry)).toBe('delivered');
    expect(receiver.ids.toSorted()).toEqual([application, enquiry].toSorted());
    for (const post of receiver.posts) {
      expect(receiver.isSigned(post)).toBe(true);
      expect(post.headers['user-agent']).toMatch(/^form-service\/\d+\.\d+\.\d+/);
    }
    const bodies = receiver.posts.map(({ body }) => JSON.parse(body) as { form: string });
    expect(bodies.find(({ form }) => form === 'contact')).toEqual({
      form: 'contact',
      reference: enquiry,
      received: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      fields: expect.objectContaining({ name: 'Ada Example', message: 'A "quoted" message, שלום' }),
      page: `https://firm.example/inbox/${enquiry}`,
    });
    expect(bodies.find(({ form }) => form === 'application')).toMatchObject({
      reference: application,
      resume: { name: 'résumé Ada.pdf', size: 21 },
    });
    expect(JSON.stringify(receiver.posts)).not.toContain('secret bytes');
  });

  it('gets an application only after the virus scan', async () => {
    await start({ settings: { CLAMD_URL: 'tcp://127.0.0.1:1' } });
    const application = await storeApplication(stack, Buffer.from('%PDF-1.7'), POSTED);
    const enquiry = await storeEnquiry(stack, {}, POSTED);
    const worker = await startWorker();
    await until('the enquiry posted', () => isSettled(enquiry));
    await worker.get(NotificationsService).sendDue(worker.get(Webhook));
    expect(receiver.ids).toEqual([enquiry]);
    await stack.database.run((db) =>
      db.updateTable('submissions').set({ state: 'delivered' }).where('id', '=', application).execute(),
    );
    await until('the application posted', () => isSettled(application));
  });
});

describe('webhook > rejected post', () => {
  it.each([500, 307])('waits for its next attempt, and delays no mail > %i, which is not followed', async (status) => {
    await start();
    const elsewhere = await WebhookReceiver.start();
    Object.assign(receiver, { answer: status, location: `http://127.0.0.1:${elsewhere.port}/` });
    const id = await storeEnquiry(stack, {}, POSTED);
    await startWorker();
    await until('an attempt', async () => (await webhookOf(id)) === `pending: HTTP ${status}`);
    const [{ nextAttemptAt = 0 } = {}] = await new NotificationsRepository(stack.database).of(id);
    expect(nextAttemptAt).toBeGreaterThan(Date.now());
    await stack.delivered(id);
    receiver.answer = 200;
    await makeNotificationsDue(stack.database);
    await until('the accepted post', () => isSettled(id));
    expect([receiver.ids, elsewhere.posts]).toEqual([[id, id], []]);
    elsewhere.close();
  });

  it('is not retried, and is in an alert and doctor until it is resent > 410', async () => {
    await start();
    receiver.answer = 410;
    const id = await storeEnquiry(stack, {}, POSTED);
    const worker = await startWorker();
    await until('the end', () => isSettled(id));
    const monitor = worker.get(Monitor, { strict: false });
    const alerts = () => worker.get(AlertsService, { strict: false }).activeKinds;
    const health = new HealthService({ notifications: new NotificationsRepository(stack.database) });
    health.cacheMs = 0;
    const cause = async () => (await health.report()).checks['notifications']?.cause;
    // A check of the worker itself may be running, which began before.
    const isRaised = () => monitor.check().then(() => alerts().includes('notifications-given-up'));
    await until('the alert', isRaised);
    expect(await cause()).toContain('1 posts to the webhook failed for good');
    receiver.answer = 200;
    await new NotificationsRepository(stack.database).requeuePosts(['pending', 'delivered'], [id]);
    await until('the accepted post', () => isSettled(id));
    expect([await isRaised(), await cause()]).toEqual([false, undefined]);
    await stack.delivered(id);
    expect([receiver.ids, subjects().length]).toEqual([[id, id], 1]);
  });
});

describe('webhook > name that leads into the network', () => {
  it('gets no post', async () => {
    await start({ settings: { SUBMISSION_WEBHOOK_URL: `http://crm.example:${receiver.port}/` } });
    const worker = await startWorker();
    worker.get(Webhook).refuseInside = (url) => refuseInside(url, async () => [{ address: '127.0.0.1', family: 4 }]);
    const id = await storeEnquiry(stack, {}, POSTED);
    await until('an attempt', async () => (await webhookOf(id)) !== 'pending');
    expect([await webhookOf(id), receiver.posts.length]).toEqual(['pending: EINSIDE', 0]);
  });
});
