import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { MAIL_SETTINGS as settings } from '../../test/mail-examples.ts';
import { ScriptedMailServer, type Answer, type Step } from '../../test/scripted-mail-server.ts';
import { contactSubmission } from '../../test/submissions.ts';
import type { DeliveryError } from '../outbox/failure.ts';
import type { Mail } from './mails/mail.ts';
import { submissionMail } from './mails/submission-mail.ts';
import { Mailer } from './mailer.service.ts';
import { SMTP_LIMITS, type SmtpLimits } from './mailer.service.ts';

const STREAM_BYTES = 120_000;

let server: ScriptedMailServer;
const mailers: Mailer[] = [];

beforeEach(async () => {
  server = await ScriptedMailServer.start();
});
afterEach(async () => {
  mailers.splice(0);
  await server.stop();
});

function startMailer(limits: Partial<SmtpLimits> = {}): Mailer {
  const SMTP_URL = server.url.replace('://', '://user:secret@');
  const mailer = new Mailer({ ...settings, SMTP_URL }, { ...SMTP_LIMITS, ...limits });
  mailers.push(mailer);
  return mailer;
}

const mail = (number: number, rest: Partial<Mail> = {}): Mail => ({
  ...submissionMail(contactSubmission(), settings),
  messageId: `<${number}@kitewright.example>`,
  ...rest,
});

const streamed = {
  filename: 'a.pdf',
  mediaType: 'application/pdf',
  size: STREAM_BYTES,
  open: async () => Readable.from(Array.from({ length: 12 }, () => Buffer.alloc(STREAM_BYTES / 12))),
};

/** Numbers of the messages that the server has taken, in order. */
const taken = () => server.messages.map((text) => Number(/^Message-ID: <(\d+)@/im.exec(text)?.[1])).toSorted(byNumber);
const byNumber = (one: number, other: number) => one - other;

const OK = '250 2.0.0 ok\r\n';
const GO = '354 go ahead\r\n';
const GREETING = '220 mail.example ESMTP\r\n';
const EHLO = '250-mail.example\r\n250 AUTH PLAIN\r\n';

/** Sends replies in one packet, or each in a packet of its own, of which the last one is late. */
const together =
  (...replies: string[]): Answer =>
  (socket) =>
    socket.write(replies.join(''));
const apart =
  (first: string, ...rest: string[]): Answer =>
  (socket) => {
    socket.write(first);
    rest.forEach((reply, index) => setTimeout(() => socket.write(reply), 2 * (index + 1)));
  };

const CASES: readonly [name: string, step: Step, replies: [string, ...string[]]][] = [
  ['two replies to the dot', 'dot', [OK, OK]],
  ['three replies to the dot', 'dot', [OK, OK, OK]],
  ['two replies to RCPT', 'RCPT', [OK, OK]],
  ['two replies to MAIL', 'MAIL', [OK, OK]],
  ['354 and 250 to DATA', 'DATA', [GO, OK]],
  ['354 twice to DATA', 'DATA', [GO, GO]],
  ['two greetings', 'greeting', [GREETING, GREETING]],
  ['two replies to EHLO', 'EHLO', [EHLO, EHLO]],
  ['two replies to AUTH', 'AUTH', ['235 ok\r\n', '235 ok\r\n']],
];

/** A reply that is late by more than a round trip cannot be told from the reply to the message. */
const isDecidable = (replies: readonly string[]) => replies.join('') !== GO + OK;

describe.each([
  ['in one packet', together],
  ['in several packets', apart],
])('stray replies > %s', (_how, answer) => {
  describe.each([
    ['a Buffer', 15, {}],
    ['a stream', 5, { attachment: streamed }],
  ])('message as %s', (_what, waiting, content) => {
    it.each(CASES.filter(([, , replies]) => answer === together || isDecidable(replies)))(
      'are taken for no acceptance and make no copies > %s',
      async (_name, step, replies) => {
        server.answers = { [step]: answer(...replies) };
        const mailer = startMailer();
        const results: PromiseSettledResult<string>[] = [];
        const send = (number: number) => mailer.send(mail(number, content));
        // Over one connection, and then over all of them.
        for (let number = 0; number < 5; number++) results.push(...(await Promise.allSettled([send(number)])));
        results.push(...(await Promise.allSettled(Array.from({ length: waiting }, (_, number) => send(5 + number)))));
        const sent = results.flatMap(({ status }, number) => (status === 'fulfilled' ? [number] : []));
        const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
        expect(taken()).toEqual(sent);
        for (const { kind } of failures as DeliveryError[]) expect(kind).toMatch(/^(?:refused|server-away)$/);
        if (step === 'dot') expect(failures).toEqual([]);
      },
    );
  });
});

describe('stray replies > reply to DATA', () => {
  it.each([OK, '220 mail.example\r\n', '334 \r\n'])('opens no content > %j', async (reply) => {
    server.answers = { DATA: reply };
    const mailer = startMailer();
    await expect(mailer.send(mail(0))).rejects.toMatchObject({ kind: 'temporary', refusesUs: false });
    // Over a kept connection.
    server.answers = {};
    await mailer.send(mail(1));
    server.answers = { DATA: reply };
    await expect(mailer.send(mail(2))).rejects.toMatchObject({ kind: 'temporary', refusesUs: false });
    expect(taken()).toEqual([1]);
  });
});

describe('stray replies > server that does not read', () => {
  it('accept nothing > before the final dot is written', async () => {
    server.answers = {
      DATA: (socket) => {
        socket.write(GO);
        socket.pause();
        setTimeout(() => socket.write(OK), 50);
      },
    };
    const text = `${'x'.repeat(70)}\r\n`.repeat(100_000);
    await expect(startMailer().send(mail(0, { text }))).rejects.toMatchObject({ kind: 'temporary' });
    expect(taken()).toEqual([]);
  });
});
