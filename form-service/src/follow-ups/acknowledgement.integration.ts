import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { register } from 'prom-client';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { describeEachEngine } from '../../test/each-engine.ts';
import { followUpsOf, makeFollowUpsDue } from '../../test/follow-ups.ts';
import { MailServer } from '../../test/mail-server.ts';
import { age, contactSubmission, storeApplication, storeEnquiry } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { readSettings } from '../config/settings.ts';
import type { Database } from '../database/database.ts';
import { Breakers } from '../delivery/circuit-breaker.ts';
import { randomSubmissionId } from '../submissions/submission-id.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { Acknowledgement } from './acknowledgement.service.ts';
import { FollowUpsService } from './follow-ups.service.ts';

const HOUR_MS = 3_600_000;
const THANKED = { followUps: ['acknowledgement'] as const };
const ON = { ACKNOWLEDGE: 'on' } as const;

describe('A worker that acknowledges', () => {
  let stack: DeliveryStack;
  afterEach(() => stack.close());

  const stateOf = async (id: string) => (await followUpsOf(stack.database, id))['acknowledgement'];
  const isSettled = async (id: string) => !(await stateOf(id))?.startsWith('pending');
  const toVisitor = () => stack.mail.received.filter(({ headers }) => headers.get('auto-submitted') === 'auto-replied');

  it('A visitor is told after the mail is out, by a mail that says it is automatic and has no envelope sender', async () => {
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
    expect(senders).toEqual(['no-reply@kitewright.example', '']);
    const [thanks] = toVisitor();
    expect(stack.mail.received.at(-1)).toBe(thanks);
    expect(thanks).toMatchObject({
      subject: `We have your Web Development enquiry (${id})`,
      messageId: `<${id}.acknowledgement@kitewright.example>`,
      to: { text: 'Ada@visitor.example' },
      replyTo: { text: '"Kitewright" <hello@kitewright.example>' },
      text: expect.stringMatching(/answers? you within 24 hours|get back to you within 24 hours/),
    });
  });

  it('Neither what is quarantined nor what is held back by the virus scan is acknowledged', async () => {
    stack = await DeliveryStack.start({ settings: ON });
    const held = await storeApplication(stack, Buffer.from('%PDF-1.7'), { ...THANKED, quarantined: true });
    const worker = await stack.startWorker();
    const other = await storeEnquiry(stack, {}, THANKED);
    await until('the other', () => isSettled(other));
    await worker.get(FollowUpsService).acknowledge();
    expect([await stateOf(held), toVisitor().length]).toEqual(['pending', 1]);
  });

  it('An address is written to once a day, however it is spelt, and again the day after', async () => {
    stack = await DeliveryStack.start({ settings: ON });
    await stack.startWorker();
    const first = await storeEnquiry(stack, { email: 'ada@visitor.example' }, THANKED);
    await until('the first', () => isSettled(first));
    for (const email of ['ADA@Visitor.example', 'ada+1@visitor.example', 'a.d.a+2@visitor.example']) {
      const again = await storeEnquiry(stack, { email }, THANKED);
      await until('the next', () => isSettled(again));
      expect(await stateOf(again)).toBe('failed: one a day');
    }
    const yesterday = `${Date.now() - 25 * HOUR_MS} ${first}`;
    await stack.database.run((db) =>
      db.updateTable('properties').set({ value: yesterday }).where('name', 'like', 'acknowledged:%').execute(),
    );
    const later = await storeEnquiry(stack, {}, THANKED);
    await until('the later one', () => isSettled(later));
    expect([await stateOf(later), toVisitor().length]).toEqual(['delivered', 2]);
  });

  it('A mail server that refuses the visitor makes no alert, opens no breaker, and stops no other mail', async () => {
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
    for (const id of ids) await until('the mails', async () => (await stack.stateOf(id)) === 'delivered');
    expect(worker.get(Breakers, { strict: false }).mailServer).toMatchObject({ isOpen: false, awaySince: undefined });
    const figures = await register.metrics();
    expect(figures).not.toMatch(/kitewright_alerts_total\{kind="[^"]+"\} [1-9]/);
  });

  it('A mail server that takes no mail without a sender is asked again later, and the other mails go on', async () => {
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
    await makeFollowUpsDue(stack.database);
    await until('the end', () => isSettled(first));
    expect(await stateOf(first)).toBe('failed: too late');
  });

  it('With ACKNOWLEDGE off nothing is sent, and what remembers addresses goes after a day and with an erasure', async () => {
    stack = await DeliveryStack.start();
    const worker = await stack.startWorker();
    const id = await storeEnquiry(stack, {}, THANKED);
    await until('the mail', async () => (await stack.stateOf(id)) === 'delivered');
    await worker.get(FollowUpsService).acknowledge();
    expect([await stateOf(id), toVisitor()]).toEqual(['pending', []]);
    const remember = (name: string, ago: number, of: string) =>
      stack.database.run((db) =>
        db
          .insertInto('properties')
          .values({ name: `acknowledged:${name}`, value: `${Date.now() - ago} ${of}` })
          .execute(),
      );
    await remember('a', 25 * HOUR_MS, 'KW-1');
    await remember('b', 23 * HOUR_MS, 'KW-2');
    await remember('c', 23 * HOUR_MS, id);
    await worker.get(FollowUpsService).forgetAddresses();
    await stack.submissions.erase([id]);
    const left = await stack.database.run((db) =>
      db.selectFrom('properties').select('name').where('name', 'like', 'acknowledged:%').execute(),
    );
    expect(left).toEqual([{ name: 'acknowledged:b' }]);
    expect(await stateOf(id)).toBeUndefined();
  });
});

describeEachEngine('Two workers on %s', ({ test, open }) => {
  let mail: MailServer;
  let databases: Database[] = [];
  let workers: Acknowledgement[] = [];

  beforeEach(async () => {
    mail = await MailServer.start();
    databases = [await open(), await open()];
    const settings = readSettings({ ...ON, SMTP_URL: mail.url });
    const breakers = { mailServer: { isOpen: false } } as unknown as Breakers;
    workers = databases.map((database) => new Acknowledgement(settings, database, breakers));
  });
  afterEach(async () => {
    for (const worker of workers) worker.onApplicationShutdown();
    await mail.stop();
  });

  const sendAll = async (emails: readonly string[]) => {
    const sent = emails.map((email, index) =>
      workers[index % 2]?.send(contactSubmission({ email }, { id: randomSubmissionId() })),
    );
    return (await Promise.all(sent)).map((one) => one?.error ?? one?.state);
  };

  test('Of several for one address at the same moment one is sent, and a repeat for the same submission passes', async () => {
    for (let round = 0; round < 3; round++) {
      const results = await sendAll(Array.from({ length: 6 }, () => `one-${'x'.repeat(round)}@visitor.example`));
      expect(results.toSorted()).toEqual(['delivered', ...Array(5).fill('one a day')]);
    }
    const same = contactSubmission({ email: 'same@visitor.example' });
    for (const worker of [...workers, ...workers]) expect(await worker.send(same)).toEqual({ state: 'delivered' });
  });

  test('Only so many are sent within an hour, also at the same moment, and the rest waits', async () => {
    for (const worker of workers) worker.hourlyMax = 5;
    const results = await sendAll(Array.from({ length: 8 }, (_, index) => `visitor-${index}@visitor.example`));
    expect(results.toSorted()).toEqual([...Array(5).fill('delivered'), ...Array(3).fill('too many in an hour')]);
    expect(await sendAll(['other@visitor.example', 'another@visitor.example'])).toEqual(
      Array(2).fill('too many in an hour'),
    );
    expect(workers.map(({ isReady }) => isReady)).toEqual([false, false]);
    const hourAgo = `${Date.now() - HOUR_MS - 1} KW-1`;
    await databases[0]?.run((db) =>
      db.updateTable('properties').set({ value: hourAgo }).where('name', 'like', 'acknowledged:%').execute(),
    );
    expect(await sendAll(['other@visitor.example'])).toEqual(['delivered']);
    expect(mail.received).toHaveLength(6);
  });

  test('The rows of follow-ups are written with their submission, and go with it', async () => {
    const [database] = databases as [Database];
    const submissions = new SubmissionsRepository(database);
    const id = await storeEnquiry({ submissions }, {}, { followUps: ['webhook', 'acknowledgement'] });
    expect(await followUpsOf(database, id)).toEqual({ webhook: 'pending', acknowledgement: 'pending' });
    await submissions.erase([id]);
    expect(await followUpsOf(database, id)).toEqual({});
    const held = await storeEnquiry({ submissions }, {}, { quarantined: true });
    await submissions.requeue([held], ['failed'], { followUps: ['webhook'] });
    expect(await followUpsOf(database, held)).toEqual({});
    await submissions.requeue([held], ['quarantined'], { released: true, followUps: ['webhook'] });
    expect(await followUpsOf(database, held)).toEqual({ webhook: 'pending' });
  });
});
