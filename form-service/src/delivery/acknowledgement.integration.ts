import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { register } from 'prom-client';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { describeEachEngine } from '../../test/each-engine.ts';
import { notificationsOf } from '../../test/notifications.ts';
import { MailServer } from '../../test/mail-server.ts';
import { contactSubmission, storeEnquiry, randomSubmissionId } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { HOUR_MS } from '../settings/durations.ts';
import { readSettings } from '../settings/settings.ts';
import { nounOf } from '../contract/forms.ts';
import { contact } from '../contract/forms/contact.ts';
import type { Database } from '../database/database.ts';
import type { DeliveryError } from '../outbox/attempt.ts';
import type { Submission } from '../submissions/submission.ts';
import { Mailer } from '../mail/mailer.service.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { Acknowledgement } from './acknowledgement.service.ts';
import { NotificationsService } from './notifications.service.ts';
import { SERVICE } from '../../test/services.ts';
import { words } from '../../test/words.ts';
import { SITE_HOST } from '../../test/site-host.ts';

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

  it.each([
    ['fails at once', 554, 'failed: SMTP 554 5.7.1'],
    ['is tried again', 451, 'pending: SMTP 451 5.7.1'],
  ])('%s, without alert and pause of the queue > the server answers %i', async (_what, responseCode, state) => {
    const mail = await MailServer.start({
      onRcptTo: ({ address }, _session, done) => {
        const isVisitor = address.endsWith('@visitor.example');
        done(isVisitor ? Object.assign(new Error('5.7.1 Relay access denied'), { responseCode }) : null);
      },
    });
    stack = await DeliveryStack.start({ mail, settings: ON });
    await stack.startWorker();
    const refused = await storeEnquiry(stack, {}, THANKED);
    await until('the refusal', async () => (await stateOf(refused)) === state);
    await stack.delivered(refused, await storeEnquiry(stack));
    expect(await register.metrics()).not.toMatch(/kitewright_alerts_total\{kind="[^"]+"\} [1-9]/);
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
    const mailer = new Mailer(settings);
    workers = databases.map((database) => new Acknowledgement(settings, database, mailer));
  });
  afterEach(async () => {
    await mail.stop();
  });

  /** Returns the outcome of an acknowledgement: delivered, or why not. */
  const send = (worker: Acknowledgement | undefined, submission: Submission) =>
    worker?.send(submission).then(
      () => 'delivered',
      (error: DeliveryError) => error.reason,
    );
  const sendAll = (emails: readonly string[]) =>
    Promise.all(
      emails.map((email, index) =>
        send(workers[index % 2], contactSubmission({ email }, { id: randomSubmissionId() })),
      ),
    );

  it('send no more than the hourly maximum > at the same moment', async () => {
    for (const worker of workers) worker.hourlyMax = 5;
    const results = await sendAll(Array.from({ length: 8 }, (_, index) => `visitor-${index}@visitor.example`));
    expect(results.toSorted()).toEqual([...Array(5).fill('delivered'), ...Array(3).fill('too many in an hour')]);
    expect(await sendAll(['other@visitor.example', 'another@visitor.example'])).toEqual(
      Array(2).fill('too many in an hour'),
    );
    expect(mail.received).toHaveLength(5);
  });

  it('send to an address in any spelling again after a day, and go on after an hour', async () => {
    const [database, worker] = [databases[0] as Database, workers[0] as Acknowledgement];
    const sendTo = (email: string, hoursAgo = 0) => {
      const receivedAt = Date.now() - hoursAgo * HOUR_MS;
      return send(worker, contactSubmission({ email }, { id: randomSubmissionId(), receivedAt }));
    };
    const sentHoursAgo = (hours: number) =>
      database.run((db) =>
        db
          .updateTable('acknowledgements')
          .set({ sentAt: Date.now() - hours * HOUR_MS })
          .execute(),
      );
    // Of submissions that have waited.
    expect([await sendTo('ada@visitor.example', 25), await sendTo('ada@visitor.example', 23)]).toEqual([
      'too late',
      'delivered',
    ]);
    await sentHoursAgo(23);
    for (const email of ['ADA@Visitor.example', 'ada+1@visitor.example', 'a.d.a+2@visitor.example'])
      expect(await sendTo(email)).toBe('one a day');
    await sentHoursAgo(25);
    expect(await sendTo('ada@visitor.example')).toBe('delivered');
    worker.hourlyMax = 1;
    await sentHoursAgo(0.9);
    expect(await sendTo('bo@visitor.example')).toBe('too many in an hour');
    await sentHoursAgo(1.1);
    expect(await sendTo('bo@visitor.example')).toBe('delivered');
  });

  it('send a retry for the same submission > the hour is full', async () => {
    for (const worker of workers) worker.hourlyMax = 1;
    const same = contactSubmission({ email: 'same@visitor.example' });
    for (const worker of workers) expect(await send(worker, same)).toBe('delivered');
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
