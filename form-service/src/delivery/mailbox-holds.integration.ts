import { randomBytes } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { register } from 'prom-client';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { MailServer } from '../../test/mail-server.ts';
import { newApplication, setColumns, storeApplication, storeEnquiry } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { Monitor } from '../alerts/monitor.service.ts';
import { historyOf } from '../submissions/submission.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { Breakers } from './breakers.ts';
import { DeliveryProcessor } from './delivery.processor.ts';
import { HOLD_TIMES, MailboxHolds } from './mailbox-holds.ts';
import { readSettings } from '../config/settings.ts';
import { OTHER_SERVICE } from '../../test/services.ts';
import { SITE_HOST } from '../../test/site-host.ts';

const HOUR_MS = 3_600_000;
const { SALES_INBOX: SALES, HR_INBOX: HR } = readSettings({});

/** Replies to the final dot. The first says by itself that we are refused, the other does not. */
const DAILY_LIMIT = '550 5.4.5 Daily user sending limit exceeded';
const REJECTED = '554 5.7.1 Message rejected';

let stack: DeliveryStack;

afterEach(async () => {
  await stack.close();
  register.resetMetrics();
});

/** Starts a mail server that refuses a message with the reply that the function returns. */
async function startStack(
  refusalOf: (text: string, to: string) => string | undefined,
  settings: Parameters<typeof DeliveryStack.start>[0] = {},
): Promise<void> {
  const mail = await MailServer.start();
  mail.refusalOf = ({ text = '', to }) => refusalOf(text, [to].flat()[0]?.text ?? '');
  stack = await DeliveryStack.start({ mail, ...settings });
}

async function startWorker(times: Partial<typeof HOLD_TIMES> = {}, connections = 5): Promise<INestApplicationContext> {
  const worker = await stack.startWorker();
  const { probe = 50 } = times;
  holdsOf(worker).times = { ...HOLD_TIMES, firstProbe: probe, probe, ...times };
  const jobs = worker.get(DeliveryProcessor, { strict: false })['worker'];
  if (connections < 5 && jobs) jobs.concurrency = connections;
  return worker;
}

const holdsOf = (worker: INestApplicationContext) => worker.get(MailboxHolds, { strict: false });
const enquiry = (message = 'We need a new website.') => storeEnquiry(stack, { message });
const poison = () => enquiry('poison');
const heldBy = (worker: INestApplicationContext) =>
  until('a hold', async () => {
    const held = await holdsOf(worker).heldMailboxes();
    return held.length > 0 ? held : undefined;
  });
const failed = (...ids: readonly string[]) =>
  until('failed', async () => (await Promise.all(ids.map((id) => stack.stateOf(id)))).every((one) => one === 'failed'));
const found = (id: string) => stack.submissions.find(id);
const eventsOf = async (id: string) => historyOf((await found(id)) ?? { history: '' });
const isRefused = async (id: string, times = 1) =>
  (await eventsOf(id)).filter(({ reply, event }) => reply && (event === 'refused' || event === 'held')).length >= times;

describe.each([1, 5])('mailbox holds > %d connections', (connections) => {
  it('fail two poisoned messages with the reply, and deliver the good one', async () => {
    await startStack((text) => (text.includes('poison') ? REJECTED : undefined));
    await startWorker({}, connections);
    const poisoned = [await poison(), await poison()];
    // A reply that came before the refusals would be no evidence.
    await until('both refusals', async () => (await Promise.all(poisoned.map((id) => isRefused(id)))).every(Boolean));
    await stack.delivered(await enquiry());
    await failed(...poisoned);
    for (const id of poisoned) {
      expect(await found(id)).toMatchObject({ attempts: 1, lastError: expect.stringContaining('SMTP 554 5.7.1') });
      expect((await eventsOf(id)).at(-1)).toMatchObject({ event: 'failed', code: 'SMTP 554 5.7.1', reply: REJECTED });
    }
    expect(stack.mail.received).toHaveLength(1);
  });

  it.each([DAILY_LIMIT, REJECTED])('fail nothing while all are refused, and deliver each once > %s', async (reply) => {
    let isOver = false;
    await startStack(() => (isOver ? undefined : reply));
    const worker = await startWorker({}, connections);
    const ids = await Promise.all(Array.from({ length: 7 }, () => enquiry()));
    expect(await heldBy(worker)).toEqual([`${SALES} (${reply.slice(0, 9).replace(/^/, 'SMTP ')})`]);
    await until('a refused probe of each', async () => {
      const all = await Promise.all(ids.map((id) => isRefused(id)));
      return all.every(Boolean);
    });
    const late = await enquiry();
    await until('the late one was tried', () => isRefused(late));
    const all = await Promise.all([...ids, late].map(found));
    expect(new Set(all.map((one) => `${one?.state} ${one?.attempts}`))).toEqual(new Set(['pending 0']));
    isOver = true;
    await stack.delivered(...ids, late);
    expect(stack.mail.received.map(({ messageId }) => messageId).toSorted()).toEqual(
      [...ids, late].map((id) => `<${id}@${SITE_HOST}>`).toSorted(),
    );
    expect((await found(late))?.attempts).toBe(1);
    expect(await holdsOf(worker).heldMailboxes()).toEqual([]);
  });
});

describe('mailbox holds > one refused message', () => {
  it('is tried once more and fails > no other traffic', async () => {
    await startStack(() => REJECTED);
    await startWorker({ again: 200 });
    const id = await poison();
    await failed(id);
    expect(await found(id)).toMatchObject({ attempts: 1 });
    expect((await eventsOf(id)).map(({ event }) => event)).toEqual(['refused', 'failed']);
    expect(stack.mail.attempts).toBe(2);
  });

  it('is tried at once and fails > another message is accepted', async () => {
    await startStack((text) => (text.includes('poison') ? REJECTED : undefined));
    await startWorker();
    const id = await poison();
    await until('the refusal', () => isRefused(id));
    await stack.delivered(await enquiry());
    await failed(id);
  });

  it('begins no hold > sent twice with the same content', async () => {
    await startStack(() => REJECTED);
    const worker = await startWorker();
    const contentDigest = randomBytes(32).toString('hex');
    const ids = [await storeEnquiry(stack, {}, { contentDigest }), await storeEnquiry(stack, {}, { contentDigest })];
    await until('both refusals', async () => (await Promise.all(ids.map((id) => isRefused(id)))).every(Boolean));
    expect(await holdsOf(worker).heldMailboxes()).toEqual([]);
  });

  it('does not delay others > its code says that we are refused', async () => {
    await startStack((text) => (text.includes('poison') ? DAILY_LIMIT : undefined));
    const worker = await startWorker({ probe: HOUR_MS });
    const id = await poison();
    await heldBy(worker);
    await holdsOf(worker).recordAcceptance(SALES);
    await until('the second refusal', () => isRefused(id, 2));
    await stack.delivered(await enquiry(), await enquiry());
    expect(await found(id)).toMatchObject({ state: 'pending', attempts: 0 });
  });
});

describe('mailbox holds > hold', () => {
  it('raises an alert with mailbox and code, which ends with it', async () => {
    let isOver = false;
    await startStack(() => (isOver ? undefined : DAILY_LIMIT));
    const worker = await startWorker();
    const id = await enquiry();
    expect(await heldBy(worker)).toEqual([`${SALES} (SMTP 550 5.4.5)`]);
    await worker.get(Monitor, { strict: false }).check();
    await until('the alert', async () =>
      (await register.metrics()).includes('kitewright_alerts_total{kind="mailbox-refuses"} 1\n'),
    );
    isOver = true;
    await stack.delivered(id);
    expect(await holdsOf(worker).heldMailboxes()).toEqual([]);
  });

  it('leaves other mailboxes alone', async () => {
    await startStack((_, to) => (to === SALES ? REJECTED : undefined));
    const worker = await startWorker({ probe: HOUR_MS });
    for (let i = 0; i < 3; i++) await enquiry();
    await heldBy(worker);
    await stack.delivered(await storeApplication(stack, randomBytes(100)));
    expect(worker.get(Breakers).mailServer.isOpen).toBe(false);
  });

  it('covers all mailboxes > two agree on the code, until one accepts', async () => {
    let refused = [SALES, HR];
    const settings = { RECIPIENTS: new Map([[OTHER_SERVICE, 'sap@kitewright.example']]) };
    await startStack((_, to) => (refused.includes(to) ? DAILY_LIMIT : undefined), { settings });
    const worker = await startWorker({ probe: HOUR_MS });
    const held = [await enquiry(), await storeApplication(stack, randomBytes(100))];
    await until('both holds', async () => (await holdsOf(worker).heldMailboxes()).length === 2);
    const third = await storeEnquiry(stack, { service: OTHER_SERVICE });
    await until('the third waits', async () => (await eventsOf(third)).some(({ event }) => event === 'held'));
    expect(stack.mail.recipients.includes('sap@kitewright.example')).toBe(false);
    await holdsOf(worker).probe(Date.now() + 2 * HOUR_MS);
    await stack.delivered(third);
    expect(await holdsOf(worker).heldMailboxes()).toHaveLength(2);
    refused = [];
    await holdsOf(worker).probe(Date.now() + 4 * HOUR_MS);
    await stack.delivered(...held);
  });

  it('tries a healthy mailbox at the next probe > two others agree and have many mails', async () => {
    const settings = { RECIPIENTS: new Map([[OTHER_SERVICE, 'sap@kitewright.example']]) };
    await startStack((_, to) => (to === SALES || to === HR ? DAILY_LIMIT : undefined), { settings });
    const worker = await startWorker({ probe: HOUR_MS });
    await enquiry();
    await storeApplication(stack, randomBytes(100));
    await until('both holds', async () => (await holdsOf(worker).heldMailboxes()).length === 2);
    const untried = await Promise.all(Array.from({ length: 5 }, () => enquiry()));
    const healthy = await storeEnquiry(stack, { service: OTHER_SERVICE });
    const waits = async (id: string) => (await eventsOf(id)).some(({ event }) => event === 'held');
    await until('all wait', async () => (await Promise.all([...untried, healthy].map(waits))).every(Boolean));
    await holdsOf(worker).probe(Date.now() + 2 * HOUR_MS);
    await stack.delivered(healthy);
  });

  it('goes on > a message is accepted whose reply came before the refusals', async () => {
    await startStack((text) => (text.includes('early') ? undefined : REJECTED));
    const worker = await startWorker({ probe: HOUR_MS });
    const submissions = worker.get(SubmissionsRepository, { strict: false });
    const endLease = submissions.endLease.bind(submissions);
    let write = () => {};
    const isWriting = new Promise<void>((resolve) => (write = resolve));
    jest.spyOn(submissions, 'endLease').mockImplementation(async (lease, result) => {
      if (result?.state === 'delivered') await isWriting;
      return endLease(lease, result);
    });
    const early = await enquiry('early');
    await until('its reply', () => stack.mail.received.length === 1);
    const ids = [await enquiry(), await enquiry()];
    await heldBy(worker);
    write();
    await stack.delivered(early);
    await holdsOf(worker).probe(Date.now() + 2 * HOUR_MS);
    await until('a refused probe', async () => (await Promise.all(ids.map((id) => isRefused(id, 2)))).some(Boolean));
    expect(await Promise.all(ids.map((id) => stack.stateOf(id)))).toEqual(['pending', 'pending']);
    expect(await heldBy(worker)).toEqual([`${SALES} (SMTP 554 5.7.1)`]);
  });

  it('tries messages > the clock was set back by a day', async () => {
    let isOver = false;
    await startStack(() => (isOver ? undefined : DAILY_LIMIT));
    const worker = await startWorker({ probe: HOUR_MS });
    const id = await enquiry();
    await heldBy(worker);
    isOver = true;
    await holdsOf(worker).probe(Date.now() - 24 * HOUR_MS);
    await stack.delivered(id);
  });

  it('fails submissions after the longest time with the reply', async () => {
    const { alike, max } = HOLD_TIMES;
    expect({ alike, max }).toEqual({ alike: 10 * 60_000, max: 24 * HOUR_MS });
    await startStack(() => DAILY_LIMIT);
    const worker = await startWorker({ max: 1_500 });
    const refused = await enquiry();
    await heldBy(worker);
    await failed(refused);
    expect((await eventsOf(refused)).at(-1)).toMatchObject({ event: 'failed', reply: DAILY_LIMIT });
    expect((await found(refused))?.attempts).toBe(1);
  });

  it('tries one message per interval > many are held', async () => {
    await startStack(() => REJECTED);
    const worker = await startWorker({ probe: HOUR_MS });
    await Promise.all(Array.from({ length: 30 }, () => enquiry()));
    const rows = () =>
      stack.database.run((db) => db.selectFrom('submissions').select(['nextAttemptAt', 'leaseToken']).execute());
    await until('all wait', async () =>
      (await rows()).every(({ nextAttemptAt }) => nextAttemptAt > Date.now() + HOUR_MS),
    );
    const before = stack.mail.attempts;
    expect(before).toBeLessThanOrEqual(20);
    const acquire = jest.spyOn(worker.get(SubmissionsRepository, { strict: false }), 'acquire');
    for (const hours of [2, 4, 6]) {
      await holdsOf(worker).probe(Date.now() + hours * HOUR_MS);
      await until('the probe', () => stack.mail.attempts === before + hours / 2);
      // A leased submission is not due either, and its result is still to come.
      await until('its result', async () =>
        (await rows()).every(({ nextAttemptAt, leaseToken }) => leaseToken === null && nextAttemptAt > Date.now()),
      );
    }
    // A job that was added twice finds nothing to lease.
    const leases = await Promise.all(acquire.mock.results.map(({ value }) => value as Promise<unknown>));
    expect([leases.filter(Boolean).length, stack.mail.attempts]).toEqual([3, before + 3]);
  });

  it('outlasts an outage of the mail server, which fails nothing', async () => {
    let isOver = false;
    await startStack(() => (isOver ? undefined : REJECTED));
    const worker = await startWorker();
    const ids = [await enquiry(), await enquiry()];
    await heldBy(worker);
    const { mailServer } = worker.get(Breakers);
    await stack.mail.stop();
    await until('the outage', () => mailServer.isOpen);
    expect(await heldBy(worker)).toEqual([`${SALES} (SMTP 554 5.7.1)`]);
    await stack.mail.start();
    await until('the end of the outage', () => !mailServer.isOpen);
    isOver = true;
    await stack.delivered(...ids);
    expect(await Promise.all(ids.map(async (id) => (await found(id))?.attempts))).toEqual([1, 1]);
  });

  it('ends > all that wait are erased', async () => {
    await startStack(() => DAILY_LIMIT);
    const worker = await startWorker({ probe: HOUR_MS });
    const id = await enquiry();
    await heldBy(worker);
    await until('the erasure', async () => (await new SubmissionsRepository(stack.database).erase([id]))[0]);
    expect(await holdsOf(worker).heldMailboxes()).toEqual([]);
  });

  it('sends a submission to another mailbox > handed over after it failed', async () => {
    await startStack((_, to) => (to === SALES ? DAILY_LIMIT : undefined));
    const worker = await startWorker({ max: 1_000 });
    const id = await enquiry();
    await heldBy(worker);
    await failed(id);
    const waiting = await enquiry();
    // On a slow machine the hold can have ended again, which fails it at once.
    await until('another refusal', async () => (await eventsOf(waiting)).some(({ reply }) => reply));
    expect(await stack.submissions.requeue([id], { from: ['failed'], event: 'sent on', to: HR })).toEqual([id]);
    await stack.delivered(id);
  });
});

describe('mailbox holds > reply to the address', () => {
  it('does not delay other mailboxes > any code', async () => {
    const replies = ['530 5.7.0', '521 5.2.1', '535 5.7.8', '550 5.1.1', '554 5.7.1'];
    const mailboxes = new Map(replies.map((reply, at) => [`mailbox-${at}@kitewright.example`, reply]));
    const mail = await MailServer.start({
      onRcptTo: ({ address }, _session, done) => {
        const [code, status] = mailboxes.get(address)?.split(' ') ?? [];
        done(code ? Object.assign(new Error(`${status} no`), { responseCode: Number(code) }) : null);
      },
    });
    const positions = new Map(Array.from(mailboxes.keys(), (mailbox, at) => [`position-${at}`, mailbox]));
    stack = await DeliveryStack.start({ mail, settings: { RECIPIENTS: positions } });
    const worker = await startWorker({ probe: HOUR_MS });
    const { fields } = newApplication(Buffer.alloc(0));
    const applications = await Promise.all(
      [...positions.keys(), ...positions.keys()].map((position) =>
        storeApplication(stack, randomBytes(100), { fields: { ...fields, position } }),
      ),
    );
    const expected = Array.from(mailboxes, ([mailbox, reply]) => `${mailbox} (SMTP ${reply})`);
    await until('all holds', async () => (await heldBy(worker)).length === expected.length);
    expect((await heldBy(worker)).toSorted()).toEqual(expected);
    await stack.delivered(await enquiry(), await storeApplication(stack, randomBytes(100)));
    expect(worker.get(Breakers).mailServer.unavailableSince).toBeUndefined();
    for (const id of applications) expect(await found(id)).toMatchObject({ state: 'pending', attempts: 0 });
  });
});

describe('mailbox holds > several workers and restarts', () => {
  it('begin it again from the rows > after a restart', async () => {
    let isOver = false;
    await startStack(() => (isOver ? undefined : REJECTED));
    const first = await startWorker();
    const ids = [await enquiry(), await enquiry()];
    await heldBy(first);
    await until('both refusals', async () => (await Promise.all(ids.map((id) => isRefused(id)))).every(Boolean));
    await stack.stopWorker(first);
    // As after a day without a worker.
    await stack.database.run((db) => db.updateTable('submissions').set({ nextAttemptAt: 0 }).execute());
    const second = await startWorker({ alike: 0 });
    expect(await heldBy(second)).toEqual([`${SALES} (SMTP 554 5.7.1)`]);
    expect(await Promise.all(ids.map((id) => stack.stateOf(id)))).toEqual(['pending', 'pending']);
    isOver = true;
    await stack.delivered(...ids);
  });

  it('find the refusal of another worker', async () => {
    await startStack(() => REJECTED);
    const first = await startWorker();
    const id = await enquiry();
    await until('the refusal', () => isRefused(id));
    await stack.stopWorker(first);
    const second = await startWorker();
    await enquiry();
    expect(await heldBy(second)).toEqual([`${SALES} (SMTP 554 5.7.1)`]);
  });

  it('deliver each once after the end > two workers', async () => {
    let isOver = false;
    await startStack(() => (isOver ? undefined : REJECTED));
    await startWorker();
    await startWorker();
    const ids = await Promise.all(Array.from({ length: 7 }, () => enquiry()));
    await until('each to be refused or to wait', async () =>
      (await Promise.all(ids.map(found))).every((one) => one?.lastError),
    );
    isOver = true;
    await stack.delivered(...ids);
    expect(stack.mail.received).toHaveLength(7);
  });

  it('end it > another worker delivered', async () => {
    await startStack((text) => (text.includes('poison') ? REJECTED : undefined));
    const worker = await startWorker({ probe: HOUR_MS, clocks: 0 });
    const ids = [await poison(), await poison()];
    await heldBy(worker);
    const other = await storeEnquiry(stack, {}, { quarantined: true });
    await setColumns(stack.database, other, { state: 'delivered', stateSince: Date.now() });
    await holdsOf(worker).probe(Date.now() + 2 * HOUR_MS);
    await failed(...ids);
  });
});

describe('mailbox holds > connection that the server ends (421)', () => {
  it('counts no attempt and does not open the breaker > at the content', async () => {
    await startStack(() => '421 4.7.0 Try again later, closing connection');
    const worker = await startWorker();
    const id = await enquiry();
    await until('the reply', async () => (await found(id))?.lastError?.includes('SMTP 421 4.7.0'));
    expect(await found(id)).toMatchObject({ state: 'pending', attempts: 0 });
    expect(worker.get(Breakers).mailServer.unavailableSince).toBeUndefined();
  });
});
