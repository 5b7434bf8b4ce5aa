import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DeliveryStack } from '../../../test/delivery-stack.ts';
import { MAIL_SETTINGS as settings } from '../../../test/mail-examples.ts';
import { ScriptedMailServer, type Answer, type Step } from '../../../test/scripted-mail-server.ts';
import { contactSubmission, storeEnquiry } from '../../../test/submissions.ts';
import { until } from '../../../test/until.ts';
import { Breakers } from '../../delivery/breakers.ts';
import { Attempt } from '../../outbox/attempt.ts';
import { enquiryMail } from '../mails/submission-mail.ts';
import { MAIL_CONNECTIONS, Mailer } from '../mailer.service.ts';
import { ServerConnections } from './server-connections.ts';
import { SMTP_LIMITS, type SmtpLimits } from './smtp-connection.ts';

const mail = enquiryMail(contactSubmission(), settings);

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
  return track(new Mailer({ ...settings, SMTP_URL }, { ...SMTP_LIMITS, ...limits }));
}

function track(mailer: Mailer): Mailer {
  mailers.push(mailer);
  return mailer;
}

const sendMany = (mailer: Mailer, count: number) => Promise.all(Array.from({ length: count }, () => mailer.send(mail)));

/** Holds the replies to the dot until the release. */
function hold(): { readonly held: () => number; readonly release: () => void } {
  let sockets: Socket[] = [];
  server.answers = { dot: (socket) => sockets.push(socket) };
  return {
    held: () => sockets.length,
    release: () => {
      server.answers = {};
      for (const socket of sockets) socket.write('250 2.0.0 taken\r\n');
      sockets = [];
    },
  };
}

const refuse =
  (reply: string): Answer =>
  (socket) =>
    socket.end(reply);

describe('limit of connections', () => {
  it.each([1, 2, 4])('is used up and opens no outage > limit of %i', async (limit) => {
    server.connectionsMax = limit;
    await sendMany(startMailer(), 12);
    expect([server.messages.length, server.peak]).toEqual([12, limit]);
    // Each surplus connection was tried once.
    expect(server.refused).toBe(MAIL_CONNECTIONS - limit);
  });

  it.each<[string, Step, Answer]>([
    ['450 greeting', 'greeting', refuse('450 4.3.2 too many connections\r\n')],
    ['454 greeting', 'greeting', refuse('454 4.7.0 too many connections\r\n')],
    ['end before the greeting', 'greeting', (socket) => socket.end()],
    ['reset before the greeting', 'greeting', (socket) => socket.resetAndDestroy()],
    ['421 after EHLO', 'EHLO', refuse('421 4.7.0 too many connections\r\n')],
    ['421 after the login', 'AUTH', refuse('421 4.7.0 too many connections\r\n')],
    ['454 after the login', 'AUTH', '454 4.7.0 too many connections\r\n'],
    ['421 after MAIL', 'MAIL', refuse('421 4.7.0 too many connections\r\n')],
  ])('is no failure of a message > %s', async (_how, step, answer) => {
    server.connectionsMax = 2;
    server.refusal = { step, answer };
    await sendMany(startMailer(), 12);
    expect([server.messages.length, server.peak]).toEqual([12, 2]);
  });

  it('is no failure of a message > the server listens no more', async () => {
    const held = hold();
    const mailer = startMailer();
    const first = mailer.send(mail);
    await until('a message at the server', () => held.held() === 1);
    server.stopListening();
    const second = mailer.send(mail);
    await expect(mailer.verify()).resolves.toBeUndefined();
    held.release();
    await Promise.all([first, second]);
    expect([server.messages.length, server.connections]).toEqual([2, 1]);
  });

  it('lets the messages keep their order', async () => {
    server.connectionsMax = 1;
    const mailer = startMailer();
    const texts = Array.from({ length: 12 }, (_, index) => `number ${index}.`);
    await Promise.all(texts.map((text) => mailer.send({ ...mail, text })));
    // The first five are sent at the same time.
    const later = server.messages.map((message) => /number \d+\./.exec(message)?.[0]).slice(MAIL_CONNECTIONS);
    expect(later).toEqual(texts.slice(MAIL_CONNECTIONS));
  });

  it('is found out again > lifted later', async () => {
    server.connectionsMax = 1;
    const mailer = startMailer({ refused: 20 });
    await sendMany(mailer, 10);
    server.connectionsMax = Infinity;
    const held = hold();
    const sent = sendMany(mailer, MAIL_CONNECTIONS);
    await until('all connections in use', () => held.held() === MAIL_CONNECTIONS);
    held.release();
    await sent;
  });

  it('ends with the attempt of a message that waits', async () => {
    server.connectionsMax = 1;
    const held = hold();
    const mailer = startMailer();
    const first = mailer.send(mail);
    await until('a message at the server', () => held.held() === 1);
    const attempt = new Attempt();
    const second = mailer.send(mail, attempt);
    await until('a refused connection', () => server.refused >= 1);
    attempt.end(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
    held.release();
    await first;
    await mailer.send(mail);
    expect(server.messages).toHaveLength(2);
  });

  it('is an outage > no connection is open', async () => {
    server.connectionsMax = 0;
    const mailer = startMailer();
    const results = await Promise.allSettled(Array.from({ length: 7 }, () => mailer.send(mail)));
    for (const result of results) expect(result).toMatchObject({ reason: { kind: 'server-away' } });
    await expect(mailer.verify()).rejects.toMatchObject({ kind: 'server-away' });
    server.connectionsMax = 1;
    await mailer.send(mail);
  });

  it('is an outage > the open connections end while a message waits', async () => {
    server.connectionsMax = 1;
    const held = hold();
    const mailer = startMailer();
    const first = mailer.send(mail);
    await until('a message at the server', () => held.held() === 1);
    const second = mailer.send(mail);
    await until('a refused connection', () => server.refused >= 1);
    server.connectionsMax = 0;
    server.endConnections();
    const [one, other] = await Promise.allSettled([first, second]);
    expect([one, other]).toMatchObject([{ status: 'rejected' }, { reason: { kind: 'server-away' } }]);
  });

  it('is an outage > the open connection waits for a reply for too long', async () => {
    server.connectionsMax = 1;
    const held = hold();
    const mailer = track(new Mailer({ ...settings, SMTP_URL: server.url }, SMTP_LIMITS, new ServerConnections(20)));
    const first = mailer.send(mail);
    await until('a message at the server', () => held.held() === 1);
    await pause(30);
    await expect(mailer.send(mail)).rejects.toMatchObject({ kind: 'server-away' });
    await expect(mailer.verify()).rejects.toMatchObject({ kind: 'server-away' });
    held.release();
    await first;
  });

  it('is no outage for the probe > other connections work', async () => {
    server.connectionsMax = 1;
    const mailer = startMailer();
    await mailer.send(mail);
    await expect(mailer.verify()).resolves.toBeUndefined();
    await expect(mailer.withOwnConnections().verify()).resolves.toBeUndefined();
  });

  it('is an outage for the probe > the password is rejected', async () => {
    const mailer = startMailer();
    await mailer.send(mail);
    server.answers = { AUTH: '535 5.7.8 no\r\n' };
    await expect(mailer.verify()).rejects.toMatchObject({ kind: 'server-away', refusesUs: true });
  });

  it('is not exceeded by a connection that follows another one', async () => {
    server.connectionsMax = 1;
    server.answers = { QUIT: (socket) => setTimeout(() => socket.end('221 bye\r\n'), 50) };
    const mailer = startMailer({ refused: 60_000 });
    // Each connection carries 100 messages.
    await sendMany(mailer, 205);
    expect([server.messages.length, server.refused]).toEqual([205, MAIL_CONNECTIONS - 1]);
  });
});

describe('limit of connections > other mailer of this process', () => {
  it.each([1, 2])('gets a connection of its own > limit of %i, all in use', async (limit) => {
    server.connectionsMax = limit;
    const mailer = startMailer({ refused: 60_000 });
    const other = track(mailer.withOwnConnections());
    const held = hold();
    const first = sendMany(mailer, 8);
    await until('all connections in use', () => held.held() === limit);
    const second = sendMany(other, 4);
    await until('refused connections', () => server.refused > MAIL_CONNECTIONS - limit);
    held.release();
    await Promise.all([first, second]);
    expect([server.messages.length, server.peak]).toEqual([12, limit]);
  });

  it('gets a connection that is not in use', async () => {
    server.connectionsMax = 1;
    const mailer = startMailer({ refused: 60_000 });
    await mailer.send(mail);
    await track(mailer.withOwnConnections()).send(mail);
    await mailer.send(mail);
    expect([server.messages.length, server.peak]).toEqual([3, 1]);
  });
});

describe('limit of connections > worker', () => {
  it.each([1, 2, 5])('delivers and acknowledges without an outage > limit of %i', async (limit) => {
    server.connectionsMax = limit;
    const stack = await DeliveryStack.start({ settings: { SMTP_URL: server.url, ACKNOWLEDGE: 'on' } });
    try {
      const visitors = Array.from({ length: 8 }, (_, number) => ({ email: `visitor-${number}@visitor.example` }));
      const ids = await Promise.all(
        visitors.map((visitor) => storeEnquiry(stack, visitor, { notifications: ['acknowledgement'] })),
      );
      const worker = await stack.startWorker();
      const { mailServer } = worker.get(Breakers, { strict: false });
      let outages = 0;
      mailServer.on('open', () => (outages += 1));
      const checks: Promise<boolean>[] = [];
      await until('all mails and acknowledgements', async () => {
        checks.push(mailServer.check());
        const states = await Promise.all(ids.map((id) => stack.stateOf(id)));
        return states.every((state) => state === 'delivered') && server.messages.length >= 2 * ids.length;
      });
      expect(server.messages).toHaveLength(2 * ids.length);
      expect(new Set(await Promise.all(checks))).toEqual(new Set([true]));
      expect([outages, mailServer.unavailableSince, server.peak]).toEqual([0, undefined, limit]);
    } finally {
      await stack.close();
    }
  });
});
