import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { AddressObject } from 'mailparser';
import { AlertReceiver } from '../../test/alert-receiver.ts';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { MailServer } from '../../test/mail-server.ts';
import { newApplication, storeApplication, storeEnquiry } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { AlertsService } from '../alerts/alerts.service.ts';
import { HealthService } from '../health/health.service.ts';
import { Monitor } from '../health/monitor.service.ts';
import { HOUR_MS, MINUTE_MS } from '../settings/durations.ts';
import { readSettings } from '../settings/settings.ts';
import { historyOf } from '../submissions/submission.ts';
import { WAITS_MS } from '../outbox/leases.ts';
import { DeliveryQueue } from './delivery.queue.ts';

let stack: DeliveryStack;

afterEach(async () => {
  jest.restoreAllMocks();
  await stack.close();
});

const { HR_INBOX } = readSettings({});

const find = async (id: string) => {
  const found = await stack.submissions.find(id);
  if (!found) throw new Error(`There is no ${id}.`);
  return found;
};
const storeMany = (count: number) => Promise.all(Array.from({ length: count }, () => storeEnquiry(stack)));
/** Returns how many of these submissions are in each state. */
const states = async (ids: readonly string[]) => {
  const all = (await Promise.all(ids.map(find))).map(({ state }) => state);
  return [...new Set(all)].map((state) => `${all.filter((one) => one === state).length} ${state}`);
};
/** Numbers of messages that the mail server has seen and accepted. */
const mails = () => [stack.mail.attempts, stack.mail.received.length];

/** Starts a mail server whose HR mailbox refuses mails with a reply while there is one. */
function serverThatRefusesHr(refusal: { reply: string | undefined }): Promise<MailServer> {
  return MailServer.start({
    onRcptTo: ({ address }, _session, done) => {
      const [, code, words] = /^(\d{3}) (.*)/.exec(refusal.reply ?? '') ?? [];
      const isRefused = code && address === HR_INBOX;
      done(isRefused ? Object.assign(new Error(words), { responseCode: Number(code) }) : null);
    },
  });
}

describe('delivery > refused mail', () => {
  it.each([
    ['recipient', 550],
    ['data', 451],
  ] as const)(
    'is tried 7 times after the waits of the table, and fails > at %s with %i',
    async (refuse, code) => {
      stack = await DeliveryStack.start();
      stack.mail.behaviour = { refuse, code };
      await stack.startWorker();
      const id = await storeEnquiry(stack);
      for (const [at, waitMs] of WAITS_MS.entries()) {
        await until('an attempt', async () => (await find(id)).attempts > at);
        const { state, nextAttemptAt, lastError } = await find(id);
        expect([state, lastError]).toEqual(['pending', expect.stringContaining(`SMTP ${code}`)]);
        // The wait began at most the time of a slow test ago.
        expect(nextAttemptAt - Date.now()).toBeLessThanOrEqual(waitMs);
        expect(nextAttemptAt - Date.now()).toBeGreaterThan(waitMs - 4 * MINUTE_MS);
        await stack.pass(waitMs);
      }
      await until('failed', async () => (await find(id)).state === 'failed');
      const found = await find(id);
      expect([found.attempts, ...mails()]).toEqual([7, 7, 0]);
      expect(historyOf(found).map(({ event, reply }) => [event, reply?.slice(0, 3)])).toEqual(
        [...Array(6).fill('attempt'), 'failed'].map((event) => [event, String(code)]),
      );
    },
    60_000,
  );

  it('is delivered once > a daily limit ends after an hour', async () => {
    stack = await DeliveryStack.start();
    let limit = 4;
    stack.mail.refusalOf = () => (stack.mail.received.length < limit ? undefined : '452 4.5.3 daily limit exceeded');
    const worker = await stack.startWorker();
    // A refusal must not pause the queue, which would delay the mails of all others.
    worker.get(DeliveryQueue, { strict: false }).pauseMs = HOUR_MS;
    const ids = await storeMany(12);
    const counts: unknown[] = [];
    for (const minutes of [0, 5, 15]) {
      await stack.pass(minutes * MINUTE_MS);
      await stack.idle();
      counts.push([...(await states(ids)).toSorted(), ...mails()]);
    }
    expect((await worker.get(HealthService).report()).checks['mail server']?.status).toBe('ok');
    limit = Infinity;
    const late = await storeEnquiry(stack);
    await stack.delivered(late);
    await stack.pass(HOUR_MS);
    await stack.delivered(...ids);
    expect(counts).toEqual([12, 20, 28].map((attempts) => ['4 delivered', '8 pending', attempts, 4]));
    expect(mails()).toEqual([37, 13]);
    expect(new Set(stack.mail.received.map(({ messageId }) => messageId)).size).toBe(13);
  });
});

describe('delivery > alert about a mailbox that refuses mails', () => {
  const WORDS = 'SenderNotAuthenticatedForGroup <ada@visitor.example>';
  const MOBILE = 'mobile@kitewright.example';
  const FIELDS = { ...newApplication(Buffer.alloc(0)).fields, position: 'Android developer' };

  it.each([
    ['at once', `550 5.7.133 ${WORDS}`, 0],
    ['after an hour', `451 4.7.1 ${WORDS}`, 60],
  ])('is raised %s, names mailbox and words, and ends > %s', async (_when, reply, minutes) => {
    const lines: unknown[] = [];
    for (const level of ['log', 'warn', 'error'] as const)
      jest.spyOn(Logger.prototype, level).mockImplementation((line) => void lines.push(line));
    const receiver = await AlertReceiver.start();
    const refusal: { reply: string | undefined } = { reply };
    const settings = {
      RECIPIENTS: new Map([['android-developer', MOBILE]]),
      ALERT_WEBHOOK_URL: receiver.url,
    };
    stack = await DeliveryStack.start({ mail: await serverThatRefusesHr(refusal), settings });
    const worker = await stack.startWorker();
    const monitor = worker.get(Monitor, { strict: false });
    const toHr = await storeApplication(stack, randomBytes(1_000), { fields: { ...FIELDS, position: 'Anything' } });
    await stack.delivered(await storeApplication(stack, randomBytes(1_000), { fields: FIELDS }));
    expect(stack.mail.received.map(({ to }) => (to as AddressObject).text)).toEqual([MOBILE]);
    await until('the refusal', async () => (await find(toHr)).attempts === 1);
    const isRaised = async () => {
      await monitor.check();
      return worker.get(AlertsService, { strict: false }).activeKinds.includes('mailbox-refuses');
    };
    const waited = (ms: number) =>
      stack.database.run((db) =>
        db
          .updateTable('submissions')
          .set((is) => ({ stateSince: is('stateSince', '-', ms) }))
          .execute(),
      );
    if (minutes > 0) {
      await waited((minutes - 1) * MINUTE_MS);
      expect(await isRaised()).toBe(false);
      await waited(MINUTE_MS);
    }
    const post = await until('the alert', async () => {
      await monitor.check();
      return receiver.posts.find(({ kind }) => kind === 'mailbox-refuses');
    });
    expect(post.references).toEqual([expect.stringContaining(`${HR_INBOX} (SMTP ${reply.slice(0, 3)}`)]);
    expect(post.text).toContain(WORDS);
    expect((await find(toHr)).history).toContain(WORDS);
    refusal.reply = undefined;
    await stack.deliveredAfterWaits(toHr);
    await until('the end', async () => !(await isRaised()) && receiver.stateOf('mailbox-refuses') === 'over');
    expect(JSON.stringify(lines)).toContain(HR_INBOX);
    expect(JSON.stringify(lines)).not.toContain('visitor.example');
    receiver.close();
  });
});
