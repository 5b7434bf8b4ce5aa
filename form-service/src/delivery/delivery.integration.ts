import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { MailServer } from '../../test/mail-server.ts';
import { RedisServer } from '../../test/redis-server.ts';
import { sha256, storeApplication, storeEnquiry } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { readSettings } from '../settings/settings.ts';
import { HealthService } from '../health/health.service.ts';
import { DeliveryQueue } from './delivery.queue.ts';
import { OTHER_SERVICE } from '../../test/services.ts';
import { SITE_HOST } from '../../test/site-host.ts';
import { words } from '../../test/words.ts';

const { fileByReference, fileInInbox, refused, tooLarge } = words.mails.submission;

/** Maximum number of commands a second of a paused queue, and the time in which they are counted. */
const COMMANDS_A_SECOND = 1;
/** Commands of one attempt, which may fall into the watched time. Each of 500 held submissions would need some. */
const COMMANDS_OF_AN_ATTEMPT = 20;
const WATCH_MS = 4_000;

let stack: DeliveryStack;

/** Text of a mail without its line breaks. */
const textOf = (mail?: { readonly text?: string }) => mail?.text?.replace(/\s+/g, ' ') ?? '';

afterEach(() => stack.close());

const accept = (fields: Parameters<typeof storeEnquiry>[1] = {}) => storeEnquiry(stack, fields);

describe('delivery > mailbox of another department', () => {
  it('is stored with the submission, which its role may then open', async () => {
    const { HR_INBOX } = readSettings({});
    const settings = { RECIPIENTS: new Map([[OTHER_SERVICE, HR_INBOX]]) };
    stack = await DeliveryStack.start({ settings });
    await stack.startWorker();
    const [usual, other] = [await storeEnquiry(stack), await storeEnquiry(stack, { service: OTHER_SERVICE })];
    await stack.delivered(usual, other);
    const recipients = await Promise.all(
      [usual, other].map(async (id) => (await stack.submissions.find(id))?.recipient),
    );
    expect(recipients).toEqual([null, HR_INBOX]);
  });
});

describe('delivery > application', () => {
  it('arrives with its file byte for byte', async () => {
    stack = await DeliveryStack.start();
    await stack.startWorker();
    const bytes = randomBytes(3_000_000);
    const id = await storeApplication(stack, bytes);
    await stack.delivered(id);
    const attachment = stack.mail.received[0]?.attachments[0];
    expect(attachment).toMatchObject({
      filename: 'résumé Ada.pdf',
      contentType: 'application/pdf',
      contentDisposition: 'attachment',
    });
    expect(sha256(attachment?.content ?? Buffer.alloc(0))).toBe(sha256(bytes));
  });

  it('arrives without the file and says how to get it > the mail server announces a smaller SIZE', async () => {
    stack = await DeliveryStack.start({ mail: await MailServer.start({ size: 200_000 }) });
    await stack.startWorker();
    // Base64 makes it larger than the limit.
    const id = await storeApplication(stack, randomBytes(180_000));
    await stack.delivered(id);
    expect(stack.mail.received).toHaveLength(1);
    expect(stack.mail.received[0]?.attachments).toHaveLength(0);
    expect(textOf(stack.mail.received[0])).toContain(`${tooLarge} ${fileByReference({ reference: id })}`);
  });
});

describe('delivery > rejected file', () => {
  const INBOX = { INBOX_USERS: [] };
  const MACRO = '554 5.7.1 Rejected suspicious office document macro';

  it.each([INBOX, {}])('is left out at once, with the words of the server > %j', async (settings) => {
    stack = await DeliveryStack.start({ settings });
    stack.mail.refusalOf = ({ attachments }) => (attachments.length > 0 ? MACRO : undefined);
    await stack.startWorker();
    const id = await storeApplication(stack, randomBytes(1_000));
    await stack.delivered(id);
    expect([stack.mail.attempts, stack.mail.received.length]).toEqual([2, 1]);
    expect(stack.mail.received[0]?.attachments).toHaveLength(0);
    const how = settings === INBOX ? fileInInbox : fileByReference({ reference: id });
    expect(textOf(stack.mail.received[0])).toContain(`${refused({ code: MACRO })} ${how}`);
    expect((await stack.submissions.find(id))?.attempts).toBe(1);
  });

  it.each([
    ['without it too', 'data', 2],
    ['at the recipient', 'recipient', 1],
  ] as const)('is not the cause > the mail is refused %s', async (_where, refuse, attempts) => {
    stack = await DeliveryStack.start();
    stack.mail.behaviour = { refuse, code: 550 };
    stack.mail.refusalOf = () => MACRO;
    await stack.startWorker();
    const id = await storeApplication(stack, randomBytes(1_000));
    await stack.idle();
    expect(await stack.submissions.find(id)).toMatchObject({ state: 'pending', attempts: 1 });
    expect([stack.mail.attempts, stack.mail.received.length]).toEqual([attempts, 0]);
  });
});

describe('delivery > mail server that is unavailable', () => {
  it('counts nothing, puts no load on Redis, and delivers all once > for a day, 500 submissions', async () => {
    stack = await DeliveryStack.start({ mail: await MailServer.reserve() });
    const ids = await Promise.all(Array.from({ length: 500 }, () => accept()));
    const worker = await stack.startWorker();
    const queue = worker.get(DeliveryQueue);
    queue.pauseMs = 12_000;
    const check = async () => (await worker.get(HealthService).report()).checks['mail server'] as { cause?: string };
    await until('the outage', async () => (await check()).cause?.includes('ECONNREFUSED'));
    await until('a paused queue', async () => {
      const { wait = 0, active } = await queue.counts();
      return active === 0 && wait > 490;
    });
    await stack.pass(24 * 3_600_000);
    const commands = await stack.redis.commandsByClient(WATCH_MS);
    const allowed = (COMMANDS_A_SECOND * WATCH_MS) / 1_000 + COMMANDS_OF_AN_ATTEMPT;
    expect(commands.get('worker') ?? 0).toBeLessThan(allowed);
    // The processor looks at the queue 20 times as often as in production, and so do the health checks.
    expect(commands.get('queue') ?? 0).toBeLessThan((20 * COMMANDS_A_SECOND * WATCH_MS) / 1_000);
    const all = await Promise.all(ids.map((id) => stack.submissions.find(id)));
    expect(new Set(all.map((found) => found?.attempts))).toEqual(new Set([0]));
    // The delivery of a few takes less time.
    await stack.submissions.erase(ids.splice(50));
    await stack.mail.start();
    await stack.deliveredAfterWaits(...ids);
    expect(stack.mail.received).toHaveLength(ids.length);
    await until('the end of the outage', async () => (await check()).cause === undefined);
  });
});

describe('delivery > Redis that is unavailable', () => {
  it('loses and duplicates nothing > at the start, full later, and then wiped', async () => {
    stack = await DeliveryStack.start({ redis: await RedisServer.reserve() });
    const worker = await stack.startWorker();
    const early = await accept();
    await stack.redis.start();
    await stack.delivered(early);
    const operator = new Redis(stack.redis.url);
    await operator.config('SET', 'maxmemory', 1);
    const full = await accept();
    const health = worker.get(HealthService);
    await until('its cause', async () => (await health.report()).checks['redis']?.cause?.includes('(OOM)'));
    await operator.config('SET', 'maxmemory', 0);
    operator.disconnect();
    await stack.delivered(full);
    stack.mail.behaviour = { refuse: 'data', code: 451 };
    const late = await Promise.all(Array.from({ length: 8 }, () => accept()));
    await stack.idle();
    await stack.redis.wipe();
    stack.mail.behaviour = 'accept';
    await stack.pass(5 * 60_000);
    await stack.delivered(...late);
    expect(new Set(stack.mail.received.map(({ messageId }) => messageId)).size).toBe(10);
    expect(stack.mail.received).toHaveLength(10);
  });
});

describe('delivery > two workers on one database', () => {
  it('deliver each submission once', async () => {
    stack = await DeliveryStack.start();
    const ids = await Promise.all(Array.from({ length: 20 }, () => accept()));
    await Promise.all([stack.startWorker(), stack.startWorker()]);
    await stack.delivered(...ids);
    expect(stack.mail.received.map(({ messageId }) => messageId).sort()).toEqual(
      ids.map((id) => `<${id}@${SITE_HOST}>`).sort(),
    );
  });
});

describe('delivery > resent submission', () => {
  it('has a new Message-ID, which its retries keep', async () => {
    stack = await DeliveryStack.start();
    await stack.startWorker();
    const id = await accept();
    await stack.delivered(id);
    stack.mail.behaviour = 'drop after accepting';
    expect(await stack.submissions.requeue([id], { from: ['delivered'], event: 'sent again' })).toEqual([id]);
    await until('the second copy', () => stack.mail.received.length === 2);
    stack.mail.behaviour = 'accept';
    await stack.deliveredAfterWaits(id);
    const [first, second, third] = stack.mail.received.map(({ messageId }) => messageId);
    expect(second).not.toBe(first);
    expect(second).toMatch(new RegExp(`^<${id}\\.[0-9a-z]+@${SITE_HOST}>$`));
    expect(third).toBe(second);
  });
});
