import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { register } from 'prom-client';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { describeEachEngine } from '../../test/each-engine.ts';
import { notificationsOf, makeNotificationsDue } from '../../test/notifications.ts';
import { MailServer } from '../../test/mail-server.ts';
import { age, contactSubmission, storeApplication, storeEnquiry } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { readSettings } from '../config/settings.ts';
import { nounOf } from '../contract/forms.ts';
import { contact } from '../contract/forms/contact.ts';
import type { Database } from '../database/database.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { Breakers } from '../delivery/breakers.ts';
import { Mailer } from '../mail/mailer.service.ts';
import { SMTP_LIMITS } from '../mail/mailer.service.ts';
import { randomSubmissionId } from '../submissions/submission-id.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { Acknowledgement } from './acknowledgement.service.ts';
import { NotificationsRepository, LEASE_MS, TOO_LATE } from '../outbox/notifications.repository.ts';
import { NotificationsService } from './notifications.service.ts';
import { SERVICE } from '../../test/services.ts';
import { words } from '../../test/words.ts';
import { SITE_HOST } from '../../test/site-host.ts';

const HOUR_MS = 3_600_000;
const THANKED = { notifications: ['acknowledgement'] as const };
const ON = { ACKNOWLEDGE: 'on' } as const;

describe('Acknowledgement', () => {
  let stack: DeliveryStack;
  afterEach(() => stack.close());

  const stateOf = async (id: string) => (await notificationsOf(stack.database, id))['acknowledgement'];
  const isSettled = async (id: string) => !(await stateOf(id))?.startsWith('pending');
  const toVisitor = () => stack.mail.received.filter(({ headers }) => headers.get('auto-submitted') === 'auto-replied');

  it('is sent after the mail, marked as automatic and without envelope sender', async () => {
    const senders: string[] = [];
    const mail = await MailServer.start({
      onMailFrom: ({ address }, _session, done) => {
        senders.push(address);
        done(null);
      },
    });
    stack = await DeliveryStack.start({ mail, settings: ON });
    await stack.startWorker();
    const id = await storeEnquiry(stack, { email: 'Ada@visitor.example' }, THANKED);
    await until('the acknowledgement', () => isSettled(id));
    expect(await stateOf(id)).toBe('delivered');
    expect(senders).toEqual([`no-reply@${SITE_HOST}`, '']);
    const [thanks] = toVisitor();
    expect(stack.mail.received.at(-1)).toBe(thanks);
    expect(thanks).toMatchObject({
      subject: `${words.mails.acknowledgement.subjectWithTopic({ topic: SERVICE, noun: nounOf('contact') })} (${id})`,
      messageId: `<${id}.acknowledgement@${SITE_HOST}>`,
      to: { text: 'Ada@visitor.example' },
      replyTo: { text: `"${stack.settings.COMPANY_NAME}" <${stack.settings.SALES_INBOX}>` },
      text: expect.stringContaining(contact.words.sentDetail),
    });
  });

  it('is not sent > quarantined submission', async () => {
    stack = await DeliveryStack.start({ settings: ON });
    const held = await storeApplication(stack, Buffer.from('%PDF-1.7'), { ...THANKED, quarantined: true });
    const worker = await stack.startWorker();
    const other = await storeEnquiry(stack, {}, THANKED);
    await until('the other', () => isSettled(other));
    await worker.get(NotificationsService).sendDue(worker.get(Acknowledgement));
    expect([await stateOf(held), toVisitor().length]).toEqual(['pending', 1]);
  });

  it('is sent once a day to an address in any spelling', async () => {
    stack = await DeliveryStack.start({ settings: ON });
    await stack.startWorker();
    const first = await storeEnquiry(stack, { email: 'ada@visitor.example' }, THANKED);
    await until('the first', () => isSettled(first));
    for (const email of ['ADA@Visitor.example', 'ada+1@visitor.example', 'a.d.a+2@visitor.example']) {
      const again = await storeEnquiry(stack, { email }, THANKED);
      await until('the next', () => isSettled(again));
      expect(await stateOf(again)).toBe('failed: one a day');
    }
    expect(await new NotificationsRepository(stack.database).countGivenUp('acknowledgement')).toBe(0);
    const sentAt = Date.now() - 25 * HOUR_MS;
    await stack.database.run((db) => db.updateTable('acknowledgements').set({ sentAt }).execute());
    const later = await storeEnquiry(stack, {}, THANKED);
    await until('the later one', () => isSettled(later));
    expect([await stateOf(later), toVisitor().length]).toEqual(['delivered', 2]);
  });

  it('raises no alert and opens no breaker > the mail server rejects the visitor', async () => {
    const mail = await MailServer.start({
      onRcptTo: ({ address }, _session, done) => {
        const isVisitor = address.endsWith('@visitor.example');
        done(isVisitor ? Object.assign(new Error('5.7.1 Relay access denied'), { responseCode: 554 }) : null);
      },
    });
    stack = await DeliveryStack.start({ mail, settings: ON });
    const worker = await stack.startWorker();
    const ids = [await storeEnquiry(stack, {}, THANKED)];
    await until('the refusal', () => isSettled(ids[0] ?? ''));
    expect(await stateOf(ids[0] ?? '')).toBe('failed: SMTP 554 5.7.1');
    ids.push(await storeEnquiry(stack));
    await stack.delivered(...ids);
    expect(worker.get(Breakers, { strict: false }).mailServer).toMatchObject({
      isOpen: false,
      unavailableSince: undefined,
    });
    const figures = await register.metrics();
    expect(figures).not.toMatch(/kitewright_alerts_total\{kind="[^"]+"\} [1-9]/);
  });

  it('is retried for a day > the mail server rejects the empty sender', async () => {
    const mail = await MailServer.start({
      onMailFrom: ({ address }, _session, done) =>
        done(address ? null : Object.assign(new Error('no'), { responseCode: 550 })),
    });
    stack = await DeliveryStack.start({ mail, settings: ON });
    const worker = await stack.startWorker();
    const first = await storeEnquiry(stack, {}, THANKED);
    await until('an attempt', async () => (await stateOf(first)) !== 'pending');
    expect(await stateOf(first)).toMatch(/^pending: SMTP 550/);
    const second = await storeEnquiry(stack);
    await until('the mail', async () => (await stack.stateOf(second)) === 'delivered');
    expect(worker.get(Breakers, { strict: false }).mailServer.isOpen).toBe(false);
    await age(stack.database, first, 25 * HOUR_MS);
    await makeNotificationsDue(stack.database);
    await until('the end', () => isSettled(first));
    expect(await stateOf(first)).toBe('failed: too late');
    const repository = new NotificationsRepository(stack.database);
    expect(await repository.givenUpWithin(HOUR_MS, 'acknowledgement')).toEqual([first]);
    expect(await repository.countGivenUp('acknowledgement')).toBe(1);
  });

  it('waits without a counted attempt > the hour has no more', async () => {
    stack = await DeliveryStack.start({ settings: ON });
    const worker = await stack.startWorker();
    worker.get(Acknowledgement, { strict: false }).hourlyMax = 0;
    const id = await storeEnquiry(stack, {}, THANKED);
    await until('the pause', async () => (await stateOf(id)) === 'pending: too many in an hour');
    expect(await new NotificationsRepository(stack.database).of(id)).toMatchObject([{ attempts: 0 }]);
  });

  it('is sent once > the database is unavailable when its result is written', async () => {
    stack = await DeliveryStack.start({ settings: ON });
    const worker = await stack.startWorker();
    const settle = jest.spyOn(worker.get(NotificationsRepository, { strict: false }), 'settle');
    for (let i = 0; i < 2; i++) settle.mockRejectedValueOnce(new StorageUnavailableError('DATABASE_URL: SQLITE_FULL'));
    const id = await storeEnquiry(stack, {}, THANKED);
    await until('the acknowledgement', () => isSettled(id));
    expect([await stateOf(id), toVisitor().length, settle.mock.calls.length]).toEqual(['delivered', 1, 3]);
  });

  it('is sent once > the replies together take longer than a single time limit', async () => {
    const later = (done: () => void) => void setTimeout(done, 800);
    const mail = await MailServer.start({
      onMailFrom: (_address, _session, done) => later(done),
      onRcptTo: (_address, _session, done) => later(done),
    });
    mail.answerAfterMs = 1_000;
    stack = await DeliveryStack.start({ mail, settings: ON });
    const limits = { ...SMTP_LIMITS, silence: 1_500 };
    const workers = [await stack.startWorker(limits), await stack.startWorker(limits)];
    const id = await storeEnquiry(stack, {}, THANKED);
    await until('the acknowledgement', () => isSettled(id));
    for (const worker of workers) await worker.get(NotificationsService).sendDue(worker.get(Acknowledgement));
    expect([await stateOf(id), stack.mail.received.length, toVisitor().length]).toEqual(['delivered', 2, 1]);
  });

  it('is sent once > the reply to the final dot takes longer than a lease', async () => {
    stack = await DeliveryStack.start({ settings: ON });
    const ticks = jest.spyOn(globalThis, 'setInterval');
    const [first, second] = [await stack.startWorker(), await stack.startWorker()];
    const id = await storeEnquiry(stack, {}, THANKED);
    await stack.delivered(id);
    const hold = stack.mail.hold();
    ticks.mockClear();
    await until('the acknowledgement at the server', () => stack.mail.held === 1);
    const leaseEnd = async () => Number((await new NotificationsRepository(stack.database).of(id))[0]?.leaseUntil);
    const soon = Date.now() + LEASE_MS / 3;
    await stack.database.run((db) => db.updateTable('notifications').set({ leaseUntil: soon }).execute());
    for (const [renew, ms] of ticks.mock.calls) if (ms === LEASE_MS / 3) renew();
    await until('the renewal', async () => (await leaseEnd()) > soon);
    // The sending worker's round has not ended.
    await Promise.race(
      [first, second].map((worker) => worker.get(NotificationsService).sendDue(worker.get(Acknowledgement))),
    );
    hold.release();
    await until('the acknowledgement', () => isSettled(id));
    expect(toVisitor()).toHaveLength(1);
  });

  it('writes no result and sends nothing more > another worker took over the lease', async () => {
    stack = await DeliveryStack.start({ settings: ON });
    const ticks = jest.spyOn(globalThis, 'setInterval');
    await stack.startWorker();
    const hold = stack.mail.hold();
    const id = await storeEnquiry(stack, {}, THANKED);
    await until('the mail at the server', () => stack.mail.held === 1);
    ticks.mockClear();
    hold.release();
    const attempts = stack.mail.attempts;
    const next = stack.mail.hold();
    await until('the acknowledgement at the server', () => stack.mail.attempts > attempts && stack.mail.held === 1);
    const others = { leaseToken: 'others', leaseUntil: Date.now() + LEASE_MS };
    await stack.database.run((db) => db.updateTable('notifications').set(others).execute());
    for (const [renew, ms] of ticks.mock.calls) if (ms === LEASE_MS / 3) renew();
    await until('the end of the connection', () => stack.mail.open === 1);
    next.release();
    expect((await new NotificationsRepository(stack.database).of(id))[0]).toMatchObject({
      state: 'pending',
      attempts: 0,
      ...others,
    });
  });

  it('is not sent, and addresses are deleted in time > ACKNOWLEDGE is off', async () => {
    stack = await DeliveryStack.start();
    const worker = await stack.startWorker();
    const id = await storeEnquiry(stack, {}, THANKED);
    await stack.delivered(id);
    await worker.get(NotificationsService).sendDue(worker.get(Acknowledgement));
    expect([await stateOf(id), toVisitor()]).toEqual(['pending', []]);
    const remember = (mailbox: string, ago: number, submissionId: string) =>
      stack.database.run((db) =>
        db
          .insertInto('acknowledgements')
          .values({ mailbox, submissionId, sentAt: Date.now() - ago })
          .execute(),
      );
    await remember('a', 25 * HOUR_MS, 'KW-1');
    await remember('b', 23 * HOUR_MS, 'KW-2');
    await remember('c', 23 * HOUR_MS, id);
    await worker.get(Acknowledgement).forget();
    await new SubmissionsRepository(stack.database).erase([id]);
    const left = await stack.database.run((db) => db.selectFrom('acknowledgements').select('mailbox').execute());
    expect(left).toEqual([{ mailbox: 'b' }]);
    expect(await stateOf(id)).toBeUndefined();
  });
});

describeEachEngine('Acknowledgement > two workers on %s', ({ it, open }) => {
  let mail: MailServer;
  let databases: Database[] = [];
  let workers: Acknowledgement[] = [];

  beforeEach(async () => {
    mail = await MailServer.start();
    databases = [await open(), await open()];
    const settings = readSettings({ ...ON, SMTP_URL: mail.url });
    const breakers = { mailServer: { isOpen: false } } as unknown as Breakers;
    const mailer = new Mailer(settings);
    workers = databases.map((database) => new Acknowledgement(settings, database, breakers, mailer));
  });
  afterEach(async () => {
    await mail.stop();
  });

  const sendAll = async (emails: readonly string[]) => {
    const sent = emails.map((email, index) =>
      workers[index % 2]?.send(contactSubmission({ email }, { id: randomSubmissionId() })),
    );
    return (await Promise.all(sent)).map((one) => one?.error ?? one?.state);
  };

  it('send one acknowledgement to an address, and a retry for the same submission', async () => {
    for (let round = 0; round < 3; round++) {
      const results = await sendAll(Array.from({ length: 6 }, () => `one-${'x'.repeat(round)}@visitor.example`));
      expect(results.toSorted()).toEqual(['delivered', ...Array(5).fill('one a day')]);
    }
    const same = contactSubmission({ email: 'same@visitor.example' });
    for (const worker of [...workers, ...workers]) expect(await worker.send(same)).toEqual({ state: 'delivered' });
  });

  it('send no more than the hourly maximum > at the same moment', async () => {
    for (const worker of workers) worker.hourlyMax = 5;
    const results = await sendAll(Array.from({ length: 8 }, (_, index) => `visitor-${index}@visitor.example`));
    expect(results.toSorted()).toEqual([...Array(5).fill('delivered'), ...Array(3).fill('too many in an hour')]);
    expect(await sendAll(['other@visitor.example', 'another@visitor.example'])).toEqual(
      Array(2).fill('too many in an hour'),
    );
    expect(workers.map(({ isReady }) => isReady)).toEqual([false, false]);
    const sentAt = Date.now() - HOUR_MS - 1;
    await databases[0]?.run((db) => db.updateTable('acknowledgements').set({ sentAt }).execute());
    expect(await sendAll(['other@visitor.example'])).toEqual(['delivered']);
    expect(mail.received).toHaveLength(6);
  });

  it('send to an address again after a day, and go on after an hour and a minute', async () => {
    const [database, worker] = [databases[0] as Database, workers[0] as Acknowledgement];
    const send = async (email: string, hoursAgo = 0) => {
      const receivedAt = Date.now() - hoursAgo * HOUR_MS;
      const { state, error } = await worker.send(
        contactSubmission({ email }, { id: randomSubmissionId(), receivedAt }),
      );
      return error ?? state;
    };
    const sentHoursAgo = (hours: number) =>
      database.run((db) =>
        db
          .updateTable('acknowledgements')
          .set({ sentAt: Date.now() - hours * HOUR_MS })
          .execute(),
      );
    // Of submissions that have waited.
    expect([await send('ada@visitor.example', 25), await send('ada@visitor.example', 23)]).toEqual([
      TOO_LATE,
      'delivered',
    ]);
    await sentHoursAgo(23);
    expect(await send('ada@visitor.example')).toBe('one a day');
    await sentHoursAgo(25);
    expect(await send('ada@visitor.example')).toBe('delivered');
    worker.hourlyMax = 1;
    await sentHoursAgo(0.9);
    expect(await send('bo@visitor.example')).toBe('too many in an hour');
    const fullAt = performance.now();
    const isReadyAfter = (ms: number) => {
      jest.spyOn(performance, 'now').mockReturnValue(fullAt + ms);
      const { isReady } = worker;
      jest.restoreAllMocks();
      return isReady;
    };
    expect([isReadyAfter(30_000), isReadyAfter(60_000)]).toEqual([false, true]);
    await sentHoursAgo(1.1);
    expect(await send('bo@visitor.example')).toBe('delivered');
  });

  it('send a retry for the same submission > the hour is full', async () => {
    for (const worker of workers) worker.hourlyMax = 1;
    const same = contactSubmission({ email: 'same@visitor.example' });
    for (const worker of workers) expect(await worker.send(same)).toEqual({ state: 'delivered' });
    expect(await sendAll(['other@visitor.example'])).toEqual(['too many in an hour']);
  });

  it('store and delete notifications together with their submission', async () => {
    const [database] = databases as [Database];
    const submissions = new SubmissionsRepository(database);
    const id = await storeEnquiry({ submissions }, {}, { notifications: ['webhook', 'acknowledgement'] });
    expect(await notificationsOf(database, id)).toEqual({ webhook: 'pending', acknowledgement: 'pending' });
    await new SubmissionsRepository(database).erase([id]);
    expect(await notificationsOf(database, id)).toEqual({});
    const held = await storeEnquiry({ submissions }, {}, { quarantined: true });
    await submissions.requeue([held], { from: ['failed'], event: 'sent again', notifications: ['webhook'] });
    expect(await notificationsOf(database, held)).toEqual({});
    await submissions.requeue([held], { from: ['quarantined'], event: 'released', notifications: ['webhook'] });
    expect(await notificationsOf(database, held)).toEqual({ webhook: 'pending' });
  });
});
