import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { generatedCorpus } from '../../test/corpus/generated.ts';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { MailServer } from '../../test/mail-server.ts';
import { RedisServer } from '../../test/redis-server.ts';
import { sha256, storeApplication, storeEnquiry } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { readSettings } from '../config/settings.ts';
import { nounOf } from '../contract/forms.ts';
import { HealthService } from '../observability/health.service.ts';
import { DeliveryQueue } from './delivery.queue.ts';
import { Refusals } from './refusals.ts';
import { OTHER_SERVICE, SERVICE } from '../../test/services.ts';
import { SITE_HOST } from '../../test/site-host.ts';
import { words } from '../../test/words.ts';

const { fileByReference, fileInInbox, mayAskForPassword, refused, seemsCutOff, subjectWithTopic, tooLarge } =
  words.mails.submission;

/** Maximum load of an idle queue on Redis. It was 3,400 commands when every waiting job was tried. */
const WATCH_MS = 3_000;
const COMMANDS_A_SECOND = 20;

let stack: DeliveryStack;

/** Text of a mail without its line breaks. */
const textOf = (mail?: { readonly text?: string }) => mail?.text?.replace(/\s+/g, ' ') ?? '';

afterEach(() => stack.close());

const accept = (fields: Parameters<typeof storeEnquiry>[1] = {}) => storeEnquiry(stack, fields);

describe('delivery > enquiry', () => {
  it('arrives with every value as it was typed', async () => {
    stack = await DeliveryStack.start();
    await stack.startWorker();
    const name = 'Łukasz "Lu" <b>O\'Neil</b> 🪁';
    const message = 'שלום, see https://evil.example & <script>alert(1)</script>\n.\nlast line';
    const id = await accept({ name, message });
    await stack.delivered(id);
    const [mail] = stack.mail.received;
    expect(mail?.from?.text).toBe(
      `"${words.mails.sender({ company: stack.settings.COMPANY_NAME })}" <no-reply@${SITE_HOST}>`,
    );
    expect(mail?.to).toMatchObject({ text: stack.settings.SALES_INBOX });
    expect(mail?.replyTo?.value).toEqual([{ name, address: 'ada@visitor.example' }]);
    expect(mail?.subject).toBe(`${subjectWithTopic({ topic: SERVICE, noun: nounOf('contact'), name })} (${id})`);
    expect(mail?.messageId).toBe(`<${id}@${SITE_HOST}>`);
    expect(mail?.headers.has('auto-submitted')).toBe(false);
    expect(mail?.headers.get('x-request-id')).toBe((await stack.submissions.find(id))?.requestId);
    expect(mail?.date).toBeInstanceOf(Date);
    expect(mail?.text).toContain(message);
    expect(mail?.text).toContain(id);
    expect(mail?.html).toContain('&#60;script&#62;alert(1)&#60;/script&#62;');
    expect(mail?.html).not.toMatch(/<(script|b|img)\b/);
  });
});

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

  it('arrives byte for byte > files of many programs', async () => {
    stack = await DeliveryStack.start();
    await stack.startWorker();
    const kinds = new Map(generatedCorpus.filter(({ refused }) => !refused).map((one) => [extname(one.file), one]));
    const sent = await Promise.all(
      Array.from(kinds.values(), async ({ file }) => {
        const bytes = await readFile(new URL(`../../test/corpus/files/${file}`, import.meta.url));
        return { id: await storeApplication(stack, bytes), sha256: sha256(bytes) };
      }),
    );
    await stack.delivered(...sent.map(({ id }) => id));
    for (const { id, ...expected } of sent) {
      const mail = stack.mail.received.find(({ messageId }) => messageId === `<${id}@${SITE_HOST}>`);
      expect({ sha256: sha256(mail?.attachments[0]?.content ?? Buffer.alloc(0)) }).toEqual(expected);
    }
  });

  it('notes in the mail that a PDF is encrypted or truncated', async () => {
    stack = await DeliveryStack.start();
    await stack.startWorker();
    for (const file of ['qpdf-password-256.pdf', 'npm-pdfkit.pdf', 'download-cut-short.pdf'])
      await stack.delivered(
        await storeApplication(stack, await readFile(new URL(`../../test/corpus/files/${file}`, import.meta.url))),
      );
    const saying = (sentence: string) => stack.mail.received.map((mail) => textOf(mail).includes(sentence));
    expect(saying(mayAskForPassword)).toEqual([true, false, false]);
    expect(saying(seemsCutOff)).toEqual([false, false, true]);
  });

  it.each([
    ['the mail server announces a smaller SIZE', async () => ({ mail: await MailServer.start({ size: 200_000 }) })],
    ['MAIL_MAX_BYTES is smaller', async () => ({ settings: { MAIL_MAX_BYTES: 200_000 } })],
  ])('arrives without the file and says how to get it > %s', async (_why, parts) => {
    stack = await DeliveryStack.start(await parts());
    await stack.startWorker();
    // Base64 makes it larger than the limit.
    const id = await storeApplication(stack, randomBytes(180_000));
    await stack.delivered(id);
    expect(stack.mail.received).toHaveLength(1);
    expect(stack.mail.received[0]?.attachments).toHaveLength(0);
    expect(textOf(stack.mail.received[0])).toContain(fileByReference({ reference: id }));
  });
});

/** Shortens the pause after which a refused message is tried once more. */
function retriesAtOnce(worker: INestApplicationContext): void {
  worker.get(Refusals, { strict: false }).firstMs = 0;
}

describe('delivery > rejected file', () => {
  const INBOX = { INBOX_USERS: [] };
  const MACRO = '554 5.7.1 Rejected suspicious office document macro';
  const ISSUE = '552 5.7.0 This message was blocked because its content presents a potential security issue';

  it.each([
    [MACRO, INBOX, refused({ code: 'SMTP 554 5.7.1' })],
    [ISSUE, INBOX, refused({ code: 'SMTP 552 5.7.0' })],
    [MACRO, {}, refused({ code: 'SMTP 554 5.7.1' })],
    ['552 Message size exceeds maximum', INBOX, tooLarge],
    ['554 5.3.4 Message too big for system', INBOX, tooLarge],
  ])('is left out, and the mail says why > %s', async (reply, settings, why) => {
    stack = await DeliveryStack.start({ settings });
    stack.mail.refusalOf = ({ attachments }) => (attachments.length > 0 ? reply : undefined);
    await stack.startWorker();
    const id = await storeApplication(stack, randomBytes(1_000));
    await stack.delivered(id);
    expect(stack.mail.attempts).toBe(2);
    expect(stack.mail.received).toHaveLength(1);
    expect(stack.mail.received[0]?.attachments).toHaveLength(0);
    const how = settings === INBOX ? fileInInbox : fileByReference({ reference: id });
    expect(textOf(stack.mail.received[0])).toContain(`${why} ${how}`);
    expect((await stack.submissions.find(id))?.attempts).toBe(1);
  });

  it('is not the cause > the mail is rejected without it too', async () => {
    stack = await DeliveryStack.start();
    stack.mail.refusalOf = () => MACRO;
    retriesAtOnce(await stack.startWorker());
    const id = await storeApplication(stack, randomBytes(1_000));
    await until('failed', async () => (await stack.stateOf(id)) === 'failed');
    expect(stack.mail.attempts).toBe(4);
    expect(stack.mail.received).toHaveLength(0);
  });
});

describe('delivery > rejected message', () => {
  it('is retried > temporary rejection', async () => {
    stack = await DeliveryStack.start();
    stack.mail.behaviour = { refuse: 'data', code: 451 };
    await stack.startWorker();
    const id = await accept();
    await until('an attempt on record', async () =>
      (await stack.submissions.find(id))?.lastError?.includes('SMTP 451'),
    );
    stack.mail.behaviour = 'accept';
    await stack.delivered(id);
    expect(stack.mail.received).toHaveLength(1);
    const history = (await stack.submissions.find(id))?.history.trimEnd().split('\n') ?? [];
    const events = history.map((line) => JSON.parse(line) as { event: string; code?: string; reply: string });
    expect(events[0]).toMatchObject({ event: 'attempt', code: 'SMTP 451', reply: expect.stringMatching(/^451 /) });
    expect(events.at(-1)).toMatchObject({ event: 'delivered', reply: expect.stringMatching(/^250 /) });
  });

  it.each(['recipient', 'data'] as const)('fails after two attempts > permanent rejection at %s', async (refuse) => {
    stack = await DeliveryStack.start();
    stack.mail.behaviour = { refuse, code: 550 };
    retriesAtOnce(await stack.startWorker());
    const id = await accept();
    await until('failed', async () => (await stack.stateOf(id)) === 'failed');
    expect(stack.mail.attempts).toBe(2);
    expect(await stack.submissions.find(id)).toMatchObject({
      state: 'failed',
      attempts: 1,
      lastError: expect.stringContaining('SMTP 550'),
    });
  });

  it('is not sent without its file > rejected before the content', async () => {
    stack = await DeliveryStack.start();
    stack.mail.behaviour = { refuse: 'recipient', code: 550 };
    retriesAtOnce(await stack.startWorker());
    const id = await storeApplication(stack, randomBytes(1_000));
    await until('failed', async () => (await stack.stateOf(id)) === 'failed');
    expect(stack.mail.attempts).toBe(2);
  });
});

describe('delivery > outage', () => {
  it('delays deliveries without load on Redis > mail server unavailable at the start', async () => {
    stack = await DeliveryStack.start({ mail: await MailServer.reserve() });
    const worker = await stack.startWorker();
    const ids = await Promise.all(Array.from({ length: 12 }, () => accept()));
    const health = worker.get(HealthService);
    await until('the mail server to be unavailable', async () =>
      ((await health.report()).checks['mail server'] as { cause?: string }).cause?.includes('ECONNREFUSED'),
    );
    const queue = worker.get(DeliveryQueue);
    await until('the end of the active jobs', async () => (await queue.counts())['active'] === 0);
    const [before, begunAt] = [await stack.redis.commands(), performance.now()];
    await pause(WATCH_MS);
    const commands = (await stack.redis.commands()) - before;
    expect(commands / ((performance.now() - begunAt) / 1_000)).toBeLessThan(COMMANDS_A_SECOND);
    const all = await Promise.all(ids.map((id) => stack.submissions.find(id)));
    expect(new Set(all.map((found) => found?.attempts))).toEqual(new Set([0]));
    await stack.mail.start();
    await stack.delivered(...ids);
    expect(stack.mail.received).toHaveLength(ids.length);
  });

  it('loses and duplicates nothing > Redis unavailable at the start, later wiped', async () => {
    stack = await DeliveryStack.start({ redis: await RedisServer.reserve() });
    await stack.startWorker();
    const early = await accept();
    await stack.redis.start();
    await stack.delivered(early);
    stack.mail.behaviour = { refuse: 'data', code: 451 };
    const late = await Promise.all(Array.from({ length: 8 }, () => accept()));
    await until('attempts', () => stack.mail.attempts > 5);
    await stack.redis.wipe();
    stack.mail.behaviour = 'accept';
    await stack.delivered(...late);
    expect(new Set(stack.mail.received.map(({ messageId }) => messageId)).size).toBe(9);
    expect(stack.mail.received).toHaveLength(9);
  });

  it('ends soon after Redis is available again', async () => {
    stack = await DeliveryStack.start();
    await stack.startWorker();
    await stack.delivered(await accept());
    await stack.redis.stop();
    const id = await accept();
    await stack.redis.start();
    await stack.delivered(id);
    expect(stack.mail.received).toHaveLength(2);
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

describe('delivery > connection that ends after the server accepted', () => {
  it('causes one retry with the same Message-ID', async () => {
    stack = await DeliveryStack.start();
    stack.mail.behaviour = 'drop after accepting';
    await stack.startWorker();
    const id = await accept();
    await until('the first copy', () => stack.mail.received.length === 1);
    stack.mail.behaviour = 'accept';
    await stack.delivered(id);
    expect(stack.mail.received.map(({ messageId }) => messageId)).toEqual([
      `<${id}@${SITE_HOST}>`,
      `<${id}@${SITE_HOST}>`,
    ]);
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
    await stack.delivered(id);
    const [first, second, third] = stack.mail.received.map(({ messageId }) => messageId);
    expect(second).not.toBe(first);
    expect(second).toMatch(new RegExp(`^<${id}\\.[0-9a-z]+@${SITE_HOST}>$`));
    expect(third).toBe(second);
  });
});
