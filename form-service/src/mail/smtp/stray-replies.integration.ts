import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { MAIL_SETTINGS as settings } from '../../../test/mail-examples.ts';
import { ScriptedMailServer, type Answer, type Step } from '../../../test/scripted-mail-server.ts';
import { contactSubmission } from '../../../test/submissions.ts';
import type { DeliveryError } from '../../outbox/failure.ts';
import type { Mail } from '../mails/mail.ts';
import { enquiryMail } from '../mails/submission-mail.ts';
import { Mailer } from '../mailer.service.ts';
import { SMTP_LIMITS, type SmtpLimits } from './smtp-connection.ts';

const STREAM_BYTES = 120_000;

let server: ScriptedMailServer;
const mailers: Mailer[] = [];

beforeEach(async () => {
  server = await ScriptedMailServer.start();
});
afterEach(async () => {
  for (const mailer of mailers.splice(0)) mailer.onApplicationShutdown();
  await server.stop();
});

function startMailer(limits: Partial<SmtpLimits> = {}): Mailer {
  const SMTP_URL = server.url.replace('://', '://user:secret@');
  const mailer = new Mailer({ ...settings, SMTP_URL }, { ...SMTP_LIMITS, ...limits });
  mailers.push(mailer);
  return mailer;
}

const mail = (number: number, rest: Partial<Mail> = {}): Mail => ({
  ...enquiryMail(contactSubmission(), settings),
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
        for (const { kind, refusesUs } of failures as DeliveryError[])
          expect([kind, refusesUs]).toEqual([expect.stringMatching(/^(?:temporary|server-away)$/), false]);
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

describe('long replies', () => {
  const LONG = 200_000;
  const LINES = '451-4.7.1 later and later\r\n'.repeat(20_000);

  it.each<[string, Step, string]>([
    ['a greeting of many lines', 'greeting', '220-mail.example\r\n'.repeat(20_000)],
    ['a line without end at EHLO', 'EHLO', '2'.repeat(LONG)],
    ['a line without end at RCPT', 'RCPT', '2'.repeat(LONG)],
    ['many lines at MAIL', 'MAIL', LINES],
    ['many lines at DATA', 'DATA', LINES],
    ['many lines at the dot', 'dot', LINES],
  ])('end the connection > %s', async (_name, step, reply) => {
    server.answers = { [step]: reply };
    const failure = await startMailer()
      .send(mail(0))
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: expect.stringMatching(/^(?:temporary|server-away)$/), reply: undefined });
    expect(failure).toMatchObject({ reason: expect.stringContaining('EPROTOCOL') });
  });

  it.each<[Step, string]>([
    ['greeting', '421'],
    ['MAIL', '451'],
    ['RCPT', '550'],
    ['dot', '554'],
  ])('are kept up to a limit > %s', async (step, code) => {
    server.answers = { [step]: `${code}-${'n'.repeat(300)}\r\n`.repeat(20) + `${code} no\r\n` };
    const failure = await startMailer()
      .send(mail(0))
      .catch((error: unknown) => error);
    const { reply } = failure as DeliveryError;
    expect(reply).toMatchObject({ code: `SMTP ${code}` });
    expect(JSON.stringify(reply).length).toBeLessThan(1_100);
  });

  it('are kept up to a limit > acceptance', async () => {
    server.answers = { dot: `250-${'y'.repeat(300)}\r\n`.repeat(20) + OK };
    expect(await startMailer().send(mail(0))).toHaveLength(1_000);
  });

  it.each<[string, string]>([
    ['spaces', `250-AUTH${' '.repeat(30_000)}\r\n${OK}`],
    ['repeated words', `250-${'AUTH '.repeat(10_000)}\r\n${OK}`],
  ])('are parsed in linear time > EHLO with %s', async (_name, reply) => {
    server.answers = { EHLO: reply };
    // Nodemailer alone needs hours for the spaces, in which nothing else runs.
    await Promise.allSettled([startMailer().send(mail(0))]);
    server.answers = {};
    await startMailer().send(mail(1));
    expect(taken()).toContain(1);
  });
});

describe('replies in slow drips', () => {
  /** Sends a byte of an endless line every 20 ms. */
  const drip = (socket: Socket) => {
    const timer = setInterval(() => socket.write('2'), 20);
    socket.on('close', () => clearInterval(timer));
  };

  it.each<[Step, Partial<SmtpLimits>]>([
    ['greeting', { greeting: 200 }],
    ['EHLO', { reply: 200 }],
    ['AUTH', { reply: 200 }],
    ['MAIL', { reply: 200 }],
    ['RCPT', { reply: 200 }],
    ['DATA', { reply: 200 }],
    ['dot', { finalDot: 200 }],
  ])('end at the time limit of the step > %s', async (step, limits) => {
    server.answers = { [step]: drip };
    const failure = startMailer({ probe: 200, ...limits }).send(mail(0));
    await expect(failure).rejects.toMatchObject({ kind: expect.stringMatching(/^(?:temporary|server-away)$/) });
  });

  it('have the time limit of the final dot > after a message', async () => {
    server.answers = {
      dot: (socket) =>
        OK.split('').forEach((character, index) => setTimeout(() => socket.write(character), 100 * index)),
    };
    await startMailer({ reply: 1_000 }).send(mail(0));
    expect(taken()).toEqual([0]);
  });
});
