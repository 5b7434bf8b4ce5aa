import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AddressObject } from 'mailparser';
import { describeEachEngine } from '../../test/each-engine.ts';
import { MailServer } from '../../test/mail-server.ts';
import { age, newApplication, newEnquiry, type NewApplication, type NewEnquiry } from '../../test/submissions.ts';
import { readSettings, type Settings } from '../config/settings.ts';
import { HealthService } from '../observability/health.service.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { DigestService, latestDigest } from './digest.service.ts';
import { Mailer } from './mailer.service.ts';

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];

describeEachEngine('The digest, from %s', ({ test, open }) => {
  let mail: MailServer;
  const mailers: Mailer[] = [];
  let isHrRefused = false;
  let started: number;
  /** The hour of the digest on a day after the first start. */
  let hour: (day: number) => number;

  beforeEach(async () => {
    Logger.overrideLogger(false);
    isHrRefused = false;
    mail = await MailServer.start({
      onRcptTo: ({ address }, _session, done) =>
        done(isHrRefused && address === 'hr@firm.net' ? Object.assign(new Error('no'), { responseCode: 550 }) : null),
    });
    started = Date.now();
    const first = latestDigest('08:00', 'UTC', started);
    hour = (day) => first + (day + 1) * DAY_MS;
  });
  afterEach(async () => {
    for (const mailer of mailers.splice(0)) mailer.onApplicationShutdown();
    await mail.stop();
  });

  /** A worker of its own, which has run once: the first start ever. */
  async function worker(changes: Partial<Settings> = {}) {
    const settings = {
      ...readSettings({ SMTP_URL: mail.url, SALES_INBOX: 'sales@firm.net', HR_INBOX: 'hr@firm.net' }),
      ...changes,
    };
    const database = await open();
    const submissions = new SubmissionsRepository(database);
    const mailer = new Mailer(settings);
    const digest = new DigestService(settings, database, submissions, mailer, new HealthService());
    mailers.push(mailer);
    const run = (now: number) => digest.run(now);
    await run(started);
    /** Stores what was held back at a time. */
    const held = async (at: number, one: NewEnquiry | NewApplication = newEnquiry()) => {
      await submissions.insert({ ...one, quarantined: true, reasons: ['many links'] });
      const { stateSince = 0 } = (await submissions.find(one.id)) ?? {};
      await age(database, one.id, stateSince - at);
      return one.id;
    };
    return { run, held, submissions };
  }

  const sentTo = (recipient: string) =>
    mail.received.filter(({ to }) => (to as AddressObject).text === recipient).map(({ text = '' }) => text);

  test('Where there is nothing, nobody gets a mail, whatever was sent or is on its way', async () => {
    const { run, submissions } = await worker();
    await submissions.insert(newEnquiry());
    for (let day = 1; day <= 3; day++) await run(hour(day));
    expect(mail.received).toEqual([]);
  });

  test('Each recipient gets one mail a day with what is theirs, and what has waited for longer is counted', async () => {
    const { run, held, submissions } = await worker({
      RECIPIENTS: new Map([['android-developer', 'mobile@firm.net']]),
    });
    const enquiry = await held(hour(1) - HOUR_MS);
    const application = await held(hour(1) - HOUR_MS, newApplication(Buffer.alloc(1)));
    await run(hour(1) - MINUTE_MS);
    expect(mail.received).toEqual([]);
    for (let minutes = 0; minutes < 30; minutes++) await run(hour(1) + minutes * MINUTE_MS);
    expect(mail.received).toHaveLength(2);
    expect(sentTo('sales@firm.net')).toEqual([expect.stringContaining(enquiry)]);
    expect(sentTo('mobile@firm.net')).toEqual([expect.stringContaining(application)]);
    expect(sentTo('sales@firm.net')[0]).not.toContain(application);
    await submissions.requeue([application], ['quarantined'], { released: true });
    const second = await held(hour(2) - HOUR_MS);
    await run(hour(2));
    expect(mail.received).toHaveLength(3);
    const [, text = ''] = sentTo('sales@firm.net');
    expect(text).toContain(second);
    expect(text).not.toContain(enquiry);
    expect(text).toMatch(/1 older one waits as well\. It is deleted on \w+ \d+ \w+\./);
    await run(hour(3));
    expect(mail.received).toHaveLength(3);
  });

  test('The first start ever tells nobody of what was there, and who is named later is told from where the others are', async () => {
    const before = await worker();
    await before.held(started - DAY_MS);
    await before.run(hour(1));
    expect(mail.received).toEqual([]);
    const id = await before.held(hour(1) + HOUR_MS);
    const after = await worker({ SALES_INBOX: 'new@firm.net' });
    await after.run(hour(2));
    expect(sentTo('new@firm.net')).toEqual([expect.stringContaining(id)]);
    expect(sentTo('new@firm.net')[0]).toContain('1 older one waits');
  });

  test('A worker that was down at the hour, or for days, sends one mail when it starts', async () => {
    const { run, held } = await worker();
    const [first, later] = [await held(hour(1) + HOUR_MS), await held(hour(3) + HOUR_MS)];
    await run(hour(3) + 5 * HOUR_MS);
    await run(hour(3) + 6 * HOUR_MS);
    expect(sentTo('sales@firm.net')).toEqual([expect.stringContaining(first)]);
    await run(hour(4));
    expect(sentTo('sales@firm.net')[1]).toContain(later);
    expect(mail.received).toHaveLength(2);
  });

  test('Of workers that run at the same moment, one sends the mail', async () => {
    const workers = await Promise.all([worker(), worker(), worker()]);
    await workers[0].held(hour(1) - HOUR_MS);
    await Promise.all(workers.map(({ run }) => run(hour(1))));
    expect(mail.received).toHaveLength(1);
  });

  test('A mail that was taken, and whose worker never noted it, is sent once more as the same mail', async () => {
    const { run, held } = await worker();
    await held(hour(1) - HOUR_MS);
    mail.behaviour = 'drop after accepting';
    await run(hour(1));
    mail.behaviour = 'accept';
    const next = await worker();
    // What came meanwhile is not in it: a mail server that knows the Message-ID would drop it unread.
    const meanwhile = await held(hour(1) + MINUTE_MS);
    for (let minutes = 1; minutes < 60; minutes++) await next.run(hour(1) + minutes * MINUTE_MS);
    expect(mail.received).toHaveLength(2);
    expect(new Set(mail.received.map(({ messageId }) => messageId)).size).toBe(1);
    expect(mail.received[1]?.text).toBe(mail.received[0]?.text);
    await next.run(hour(2));
    expect(mail.received[2]?.text).toContain(meanwhile);
    expect(mail.received[2]?.messageId).not.toBe(mail.received[0]?.messageId);
  });

  test('An inbox that refuses does not stop the other’s mail, and has its own once it takes it', async () => {
    const { run, held } = await worker();
    await held(hour(1) - HOUR_MS);
    const application = await held(hour(1) - HOUR_MS, newApplication(Buffer.alloc(1)));
    isHrRefused = true;
    for (let minutes = 0; minutes < 40; minutes++) await run(hour(1) + minutes * MINUTE_MS);
    expect([sentTo('sales@firm.net').length, sentTo('hr@firm.net').length]).toEqual([1, 0]);
    isHrRefused = false;
    for (let minutes = 40; minutes < 80; minutes++) await run(hour(1) + minutes * MINUTE_MS);
    expect(sentTo('hr@firm.net')).toEqual([expect.stringContaining(application)]);
    expect(sentTo('sales@firm.net')).toHaveLength(1);
  });

  test('A mail server that is away costs a pause and no mail', async () => {
    const { run, held } = await worker();
    await held(hour(1) - HOUR_MS);
    await mail.stop();
    await run(hour(1));
    await mail.start();
    await run(hour(1) + 20 * MINUTE_MS);
    expect(mail.received).toHaveLength(1);
  });

  test.each([
    ['begins', '2031-03-29T12:00:00Z', '01:30'],
    ['ends', '2031-10-25T12:00:00Z', '01:30'],
  ])(
    'On the day on which summer time %s there is one mail, although its hour is not once on the clock',
    async (_, from, at) => {
      started = Date.parse(from);
      const { run, held } = await worker({ TIME_ZONE: 'Europe/Lisbon', DIGEST_AT: at });
      const ids: string[] = [];
      for (let hours = 1; hours <= 35; hours++) {
        const now = started + hours * HOUR_MS;
        ids.push(await held(now));
        for (const half of [0, 30]) await run(now + half * MINUTE_MS);
      }
      expect(mail.received).toHaveLength(1);
      await run(started + 48 * HOUR_MS);
      const texts = sentTo('sales@firm.net');
      expect(texts).toHaveLength(2);
      // None is told twice, and none is forgotten: 20 at most are named, the others counted.
      for (const id of ids) expect(texts.filter((text) => text.includes(id)).length).toBeLessThanOrEqual(1);
      expect(texts.map((text) => Number(/(\d+) held back/.exec(text)?.[1])).reduce((sum, one) => sum + one)).toBe(35);
    },
  );

  test('With an empty DIGEST_AT there is none', async () => {
    const { run, held } = await worker({ DIGEST_AT: '' });
    await held(hour(1) - HOUR_MS);
    for (let day = 1; day <= 2; day++) await run(hour(day));
    expect(mail.received).toEqual([]);
  });
});

describe('The hour of the digest', () => {
  const ZONES = {
    'Europe/Lisbon': ['2027-03-28', '2027-10-31'],
    'Atlantic/Azores': ['2027-03-28', '2027-10-31'],
    'America/New_York': ['2027-03-14', '2027-11-07'],
    'Australia/Lord_Howe': ['2027-04-04', '2027-10-03'],
    'Asia/Beirut': ['2027-03-28', '2027-10-31'],
    'Asia/Kolkata': ['2027-01-01'],
  };
  const cases = Object.entries(ZONES).flatMap(([zone, days]) =>
    days.flatMap((day) => ['00:00', '00:30', '01:30', '02:15', '08:00', '23:30'].map((at) => [at, zone, day] as const)),
  );

  it.each(cases)('%s in %s is once on each day around %s', (at, zone, day) => {
    const local = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
    const noon = Date.parse(`${day}T12:00:00Z`);
    const found: number[] = [];
    for (let now = noon - 2 * DAY_MS; now <= noon + 2 * DAY_MS; now += 15 * MINUTE_MS) {
      const latest = latestDigest(at, zone, now);
      expect(latest).toBeLessThanOrEqual(now);
      if (latest !== found.at(-1)) found.push(latest);
    }
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    const dates = found.map((time) => local.format(time).slice(0, 10));
    const each = dates.map((_, index) => Date.parse(dates[0] ?? '') + index * DAY_MS);
    expect(dates.map((date) => Date.parse(date))).toEqual(each);
    expect(dates.length).toBeGreaterThanOrEqual(4);
    const shifted = found.filter((time) => local.format(time).slice(11) !== at);
    expect(shifted.length).toBeLessThanOrEqual(1);
    for (const time of shifted) expect(local.format(time).slice(0, 10)).toBe(day);
  });
});
