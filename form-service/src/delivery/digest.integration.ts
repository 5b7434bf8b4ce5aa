import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { AddressObject } from 'mailparser';
import { describeEachEngine } from '../../test/each-engine.ts';
import { MailServer } from '../../test/mail-server.ts';
import { age, newApplication, newEnquiry, type NewApplication, type NewEnquiry } from '../../test/submissions.ts';
import { sql } from 'kysely';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../settings/durations.ts';
import { readSettings, type Settings } from '../settings/settings.ts';
import { nounOf } from '../contract/forms.ts';
import { DigestsRepository } from '../outbox/digests.repository.ts';
import { Outbox } from '../outbox/outbox.service.ts';
import { capitalized, withArticle } from '../submissions/labels.ts';
import { ACTIONS } from '../submissions/submission-actions.service.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { HandlingRepository } from '../submissions/handling.repository.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { AlertsService } from '../alerts/alerts.service.ts';
import { DigestService, latestDigest } from './digest.service.ts';
import { Mailer } from '../mail/mailer.service.ts';
import { SERVICE } from '../../test/services.ts';
import { words } from '../../test/words.ts';

const { digest: digestWords } = words.mails;

/** A sentence of a text about several, up to the day. */
const upToDay = (sentence: string) => sentence.replace(/<day[^]*/, '').trim();
const older = (count: number) => upToDay(digestWords.older({ count, day: '<day' }));
/** Text of a mail without its line breaks. */
const inOneLine = (text = '') => text.replaceAll(/\s+/g, ' ');

describeEachEngine('digest > %s', ({ it, itOnce, open }) => {
  let mail: MailServer;
  const mailers: Mailer[] = [];
  let isHrRefused = false;
  let started: number;
  /** Time of the latest run of any worker. */
  let clock: number;
  /** Aging of leases and waits. Workers that run at the same time wait for it, so that it does not age their new leases. */
  let aging: Promise<unknown> | undefined;
  /** Returns the time of the digest on a day after the first start. */
  let hour: (day: number) => number;

  beforeEach(async () => {
    Logger.overrideLogger(false);
    isHrRefused = false;
    mail = await MailServer.start({
      onRcptTo: ({ address }, _session, done) =>
        done(isHrRefused && address === 'hr@firm.net' ? Object.assign(new Error('no'), { responseCode: 550 }) : null),
    });
    clock = started = Date.now();
    aging = undefined;
    const first = latestDigest('08:00', 'UTC', started);
    hour = (day) => first + (day + 1) * DAY_MS;
  });
  afterEach(async () => {
    mailers.splice(0);
    await mail.stop();
  });

  /** Creates a worker that has run once. The first one is the first start ever. */
  async function worker(changes: Partial<Settings> = {}, startedAt = started) {
    const settings = {
      ...readSettings({ SMTP_URL: mail.url, SALES_INBOX: 'sales@firm.net', HR_INBOX: 'hr@firm.net' }),
      ...changes,
    };
    const database = await open();
    const submissions = new SubmissionsRepository(database);
    const search = new SubmissionSearchRepository(database);
    const mailer = new Mailer(settings);
    const alerts = new AlertsService(settings);
    const outbox = new Outbox();
    const digest = new DigestService(settings, new DigestsRepository(database), search, mailer, alerts, outbox);
    mailers.push(mailer);
    /** Runs the worker at a time. Leases and waits are on the database's clock, so they are aged by the time that has passed. */
    const run = async (now: number) => {
      const passed = now - clock;
      clock = now;
      const nextAttemptAt = sql<number>`next_attempt_at - ${passed}`;
      if (passed > 0) aging = database.run((db) => db.updateTable('digests').set({ nextAttemptAt }).execute());
      await aging;
      await digest.run(now);
    };
    await run(startedAt);
    /** Stores a submission that was held back at a time. */
    const held = async (at: number, one: NewEnquiry | NewApplication = newEnquiry({}, { reasons: ['many links'] })) => {
      await submissions.insert({ ...one, quarantined: true });
      const { stateSince = 0 } = (await submissions.find(one.id)) ?? {};
      await age(database, one.id, stateSince - at);
      return one.id;
    };
    return { run, held, submissions, search, alerts, database, mailer, digest, outbox };
  }

  const sentTo = (recipient: string) =>
    mail.received.filter(({ to }) => (to as AddressObject).text === recipient).map(({ text = '' }) => text);

  it('contains a recipient’s new submissions, and counts the older ones', async () => {
    const { run, held, submissions, database } = await worker({
      RECIPIENTS: new Map([['android-developer', 'mobile@firm.net']]),
    });
    const enquiry = await held(hour(1) - HOUR_MS);
    const application = await held(hour(1) - HOUR_MS, newApplication(Buffer.alloc(1)));
    // A digest has no submissions that staff have marked.
    const marked = [await held(hour(1) - HOUR_MS)];
    const mark = { from: ACTIONS.mark.from, scope: { forms: ['contact'] }, as: 'spam', by: 'ada', at: 1 } as const;
    await new HandlingRepository(database).mark(marked, mark);
    await run(hour(1) - MINUTE_MS);
    expect(mail.received).toEqual([]);
    for (let minutes = 0; minutes < 30; minutes++) await run(hour(1) + minutes * MINUTE_MS);
    expect(mail.received).toHaveLength(2);
    expect(sentTo('sales@firm.net')).toEqual([expect.stringContaining(enquiry)]);
    expect(sentTo('mobile@firm.net')).toEqual([expect.stringContaining(application)]);
    expect(sentTo('sales@firm.net')[0]).not.toContain(application);
    await submissions.requeue([application], { from: ['quarantined'], event: 'released' });
    const second = await held(hour(2) - HOUR_MS);
    await run(hour(2));
    expect(mail.received).toHaveLength(3);
    const [, text = ''] = sentTo('sales@firm.net');
    expect(text).toContain(second);
    expect(text).not.toContain(enquiry);
    expect(inOneLine(text)).toMatch(new RegExp(`${older(1)} [\\p{L}]+,? \\d+\\.? [\\p{L}]+(?: \\d{4})?`, 'u'));
    await run(hour(3));
    expect(mail.received).toHaveLength(3);
  });

  it('names reminders of its day once, also alone and of what is done', async () => {
    const { run, submissions, database } = await worker({ INBOX_USERS: [] });
    const handling = new HandlingRepository(database);
    const reminded = async (at: number, one: NewEnquiry | NewApplication = newEnquiry()) => {
      await submissions.insert(one);
      await handling.remind(one.id, { on: '2026-12-03', at }, 'ada');
      return one.id;
    };
    const [first, second, third] = [
      await reminded(hour(0) + 1),
      await reminded(hour(1) - MINUTE_MS),
      await reminded(hour(1)),
    ];
    const application = await reminded(hour(1) - HOUR_MS, newApplication(Buffer.alloc(1)));
    await handling.mark([second], { from: ['pending'], scope: { forms: ['contact'] }, as: 'done', by: 'ada', at: 1 });
    const removed = await reminded(hour(1) - HOUR_MS);
    await handling.remind(removed, undefined, 'ada');
    const spam = await reminded(hour(1) - HOUR_MS);
    await handling.mark([spam], { from: ['pending'], scope: { forms: ['contact'] }, as: 'spam', by: 'ada', at: 1 });
    await run(hour(1));
    await run(hour(1) + MINUTE_MS);
    const [text = '', ...others] = sentTo('sales@firm.net');
    expect(others).toEqual([]);
    expect([first, second, third, removed, spam, application].map((id) => text.includes(`/inbox/${id}`))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(text.startsWith(`${digestWords.remember}: ${digestWords.reminders({ count: 2 })}\n`)).toBe(true);
    expect(sentTo('hr@firm.net')).toEqual([
      expect.stringContaining(`${digestWords.remember}: ${digestWords.reminders({ count: 1 })}\n`),
    ]);
    await run(hour(2));
    expect(sentTo('sales@firm.net')[1]).toContain(third);
    await run(hour(3));
    expect(mail.received).toHaveLength(3);
  });

  it('names at most two of three submissions, the oldest first, and counts all', async () => {
    const { run, held, digest } = await worker();
    digest.rowsMax = 2;
    const ids: string[] = [];
    for (let at = 0; at < 3; at++) ids.push(await held(hour(1) - HOUR_MS + at));
    await run(hour(1));
    const [text = ''] = sentTo('sales@firm.net');
    const parts = [...ids, digestWords.heldBack({ count: 3 }), digestWords.more({ count: 1 })];
    expect(parts.map((part) => text.includes(part))).toEqual([true, true, false, true, true]);
  });

  itOnce('is sent once at the start > the worker was down at the hour or for days', async () => {
    const { run, held } = await worker();
    const [first, later] = [await held(hour(1) + HOUR_MS), await held(hour(3) + HOUR_MS)];
    await run(hour(3) + 5 * HOUR_MS);
    await run(hour(3) + 6 * HOUR_MS);
    expect(sentTo('sales@firm.net')).toEqual([expect.stringContaining(first)]);
    await run(hour(4));
    expect(sentTo('sales@firm.net')[1]).toContain(later);
    expect(mail.received).toHaveLength(2);
  });

  it('is sent once > several workers run at the same time', async () => {
    const workers = await Promise.all([worker(), worker(), worker()]);
    await workers[0].held(hour(1) - HOUR_MS);
    await Promise.all(workers.map(({ run }) => run(hour(1))));
    expect(mail.received).toHaveLength(1);
  });

  it('is sent again as the same mail > the worker did not store the success', async () => {
    const { run, held } = await worker();
    await held(hour(1) - HOUR_MS);
    mail.behaviour = 'drop after accepting';
    await run(hour(1));
    mail.behaviour = 'accept';
    const next = await worker();
    // Later submissions are not in it, because a mail server may drop a mail whose Message-ID it knows.
    const meanwhile = await held(hour(1) + MINUTE_MS);
    for (let minutes = 1; minutes < 60; minutes++) await next.run(hour(1) + minutes * MINUTE_MS);
    expect(mail.received).toHaveLength(2);
    expect(new Set(mail.received.map(({ messageId }) => messageId)).size).toBe(1);
    expect(mail.received[1]?.text).toBe(mail.received[0]?.text);
    await next.run(hour(2));
    expect(mail.received[2]?.text).toContain(meanwhile);
    expect(mail.received[2]?.messageId).not.toBe(mail.received[0]?.messageId);
  });

  itOnce('reaches one inbox, and the other one later > that inbox rejects it', async () => {
    const { run, held } = await worker();
    await held(hour(1) - HOUR_MS);
    const application = await held(hour(1) - HOUR_MS, newApplication(Buffer.alloc(1)));
    isHrRefused = true;
    for (let minutes = 0; minutes < 40; minutes++) await run(hour(1) + minutes * MINUTE_MS);
    expect([sentTo('sales@firm.net').length, sentTo('hr@firm.net').length]).toEqual([1, 0]);
    isHrRefused = false;
    for (let minutes = 40; minutes < 90; minutes++) await run(hour(1) + minutes * MINUTE_MS);
    expect(sentTo('hr@firm.net')).toEqual([expect.stringContaining(application)]);
    expect(sentTo('sales@firm.net')).toHaveLength(1);
  });

  itOnce('is sent again without visitors’ words > the server rejects them for good', async () => {
    const { run, held, alerts } = await worker();
    const refused = await held(hour(1) - HOUR_MS, newEnquiry({ message: 'The forbidden phrase, in a long message.' }));
    const other = await held(hour(1) - HOUR_MS, newEnquiry({ name: 'Harmless Person', message: 'Harmless words.' }));
    mail.behaviour = { refuse: 'data', code: 550, text: /forbidden/ };
    await run(hour(1));
    const [text = '', ...more] = sentTo('sales@firm.net');
    expect(more).toEqual([]);
    expect(text).toContain(`${capitalized(withArticle(nounOf('contact')))}\n${SERVICE}\n`);
    for (const id of [refused, other]) expect(text).toContain(id);
    expect(text).toContain(digestWords.heldBack({ count: 2 }));
    expect(inOneLine(text)).toContain(`${words.mails.notePlain} ${digestWords.refused}`);
    expect(text).not.toMatch(/forbidden|Harmless/);
    expect(alerts.activeKinds).toEqual([]);
    await run(hour(1) + 20 * MINUTE_MS);
    await run(hour(2));
    expect(mail.received).toHaveLength(1);
  });

  itOnce('raises an alert after an hour, and ends it > refused without visitors’ words too', async () => {
    const [first, second] = [await worker(), await worker()];
    await first.held(hour(1) - HOUR_MS);
    mail.behaviour = { refuse: 'data', code: 554 };
    const active: number[] = [];
    for (const minutes of [0, 1, 5, 20, 58, 59, 80]) {
      await first.run(hour(1) + minutes * MINUTE_MS);
      active.push(first.alerts.activeKinds.length);
    }
    // Attempts after 0, 5, 20 and 80 minutes, each with two mails.
    expect([mail.attempts, active]).toEqual([8, [0, 0, 0, 0, 0, 1, 1]]);
    mail.behaviour = 'accept';
    await second.run(hour(1) + 320 * MINUTE_MS);
    await first.run(hour(1) + 321 * MINUTE_MS);
    expect([mail.received.length, first.alerts.activeKinds]).toEqual([1, []]);
  });

  itOnce('keeps visitors’ words at the first temporary refusal, and leaves them out at the second', async () => {
    const { run, held } = await worker();
    await held(hour(1) - HOUR_MS);
    mail.behaviour = { refuse: 'data', code: 451, text: /We need a new website/ };
    await run(hour(1));
    expect([mail.attempts, mail.received.length]).toEqual([1, 0]);
    await run(hour(1) + 5 * MINUTE_MS);
    expect([mail.attempts, mail.received.length]).toEqual([3, 1]);
  });

  itOnce('is tried once a day > the waits of the table are over', async () => {
    const { run, held, mailer } = await worker();
    await held(hour(1) - HOUR_MS);
    const send = jest.spyOn(mailer, 'send').mockRejectedValue(new DOMException('too long', 'TimeoutError'));
    for (let hours = 0; hours < 4 * 24; hours++) await run(hour(1) + hours * HOUR_MS);
    // After 0, 1, 2, 3, 7, 19, 43, 67 and 91 hours.
    expect(send.mock.calls.length).toBe(9);
  });

  it('is sent once > a worker dies between its lease and the mail', async () => {
    const { run, held, database } = await worker();
    const id = await held(hour(1) - HOUR_MS);
    const digests = new DigestsRepository(database);
    // Ends the wait of the day, so that the next run does not age the lease.
    await run(hour(1) - 1_000);
    await digests.acquire('sales@firm.net', (await digests.positions()).get('sales@firm.net') ?? 0);
    await run(hour(1));
    expect(mail.received).toEqual([]);
    for (let minutes = 1; minutes < 25; minutes++) await run(hour(1) + minutes * MINUTE_MS);
    expect(sentTo('sales@firm.net')).toEqual([expect.stringContaining(id)]);
  });

  it('covers at most a week for a new recipient > a removed one is older', async () => {
    const before = await worker({ SALES_INBOX: 'removed@firm.net' });
    const current = await worker();
    for (const day of [1, 30]) await current.run(hour(day));
    const [old, young] = [await before.held(hour(20)), await before.held(hour(28))];
    const after = await worker({ SALES_INBOX: 'new@firm.net' }, hour(30) + HOUR_MS);
    await after.run(hour(31));
    const [text] = sentTo('new@firm.net');
    expect(text).toContain(young);
    expect(text).not.toContain(old);
    expect(inOneLine(text)).toContain(older(1));
  });

  it('names each submission once > its state changed on the border of two', async () => {
    const { run, held } = await worker();
    // A digest ends a minute before its hour, because a submission can be committed after its timestamp.
    const border = hour(1) - MINUTE_MS;
    const [before, at, after] = [await held(border - 1), await held(border), await held(border + 1)];
    await run(hour(1));
    await run(hour(2));
    const [first = '', second = ''] = sentTo('sales@firm.net');
    for (const [id, place] of [
      [before, 0],
      [at, 0],
      [after, 1],
    ] as const)
      expect([first.includes(id), second.includes(id)]).toEqual([place === 0, place === 1]);
    expect(inOneLine(second)).toContain(older(2));
  });

  it('is sent, and covers a day > a clock that had jumped ahead wrote the position', async () => {
    const { run, held, database } = await worker();
    const [old, id] = [await held(hour(0) - HOUR_MS), await held(hour(1) - HOUR_MS)];
    await database.run((db) =>
      db
        .updateTable('digests')
        .set({ until: hour(400) })
        .execute(),
    );
    for (let minutes = 0; minutes < 10; minutes++) await run(hour(1) + minutes * MINUTE_MS);
    expect(sentTo('sales@firm.net')).toEqual([expect.stringContaining(id)]);
    expect(sentTo('sales@firm.net')[0]).not.toContain(old);
    const next = await held(hour(2) - HOUR_MS);
    await run(hour(2));
    expect(sentTo('sales@firm.net')[1]).toContain(next);
  });

  itOnce('is not sent > DIGEST_AT is empty', async () => {
    const { run, held } = await worker({ DIGEST_AT: '' });
    await held(hour(1) - HOUR_MS);
    for (let day = 1; day <= 2; day++) await run(hour(day));
    expect(mail.received).toEqual([]);
  });
});

it.each([
  ['before the hour', '08:00', 'Asia/Kolkata', '2027-01-02T02:29:59Z', '2027-01-01T02:30:00Z'],
  ['at the hour', '08:00', 'Asia/Kolkata', '2027-01-02T02:30:00Z', '2027-01-02T02:30:00Z'],
  [
    'an hour later > the day has no such hour',
    '01:30',
    'Europe/Lisbon',
    '2027-03-28T12:00:00Z',
    '2027-03-28T01:30:00Z',
  ],
  ['the first time > the hour is repeated', '01:30', 'Europe/Lisbon', '2027-10-31T12:00:00Z', '2027-10-31T00:30:00Z'],
])('latestDigest > is one for each day > %s', (_when, at, zone, now, expected) => {
  expect(latestDigest(at, zone, Date.parse(now))).toBe(Date.parse(expected));
});
