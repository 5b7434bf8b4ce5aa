import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { simpleParser, type ParsedMail } from 'mailparser';
import { Mailer } from '../../src/mail/mailer.service.ts';
import type { DeliveryError } from '../../src/outbox/attempt.ts';
import { submissionMail } from '../../src/mail/mails/submission-mail.ts';
import type { Mail } from '../../src/mail/mails/mail.ts';
import { MAIL_SETTINGS } from '../mail-examples.ts';
import { MailServer } from '../mail-server.ts';
import { contactSubmission } from '../submissions.ts';
import { until } from '../until.ts';
import {
  DOMAIN,
  FOREIGN_INBOX,
  FULL_INBOX,
  INBOX_GONE_LATER,
  MESSAGE_MAX_BYTES,
  type RealMailServer,
} from './real-mail-server.ts';

export const BOUNCES_TO = `bounces@${DOMAIN}`;

/** The server to which a real mail server forwards, with the messages that arrived. */
export interface NextHop {
  readonly server: MailServer;
  readonly arrived: readonly { readonly to: readonly string[]; readonly mail: ParsedMail; readonly raw: string }[];
}

/** Starts the next hop. It accepts all messages except those for one inbox that no longer exists. */
export async function startNextHop(): Promise<NextHop> {
  const arrived: NextHop['arrived'][number][] = [];
  const take = async (stream: Readable, to: readonly string[], done: () => void) => {
    const raw = await buffer(stream).catch(() => undefined);
    // A stopped mail server ends its connections at any point.
    if (raw === undefined) return;
    arrived.push({ to, mail: await simpleParser(raw), raw: raw.toString('utf8') });
    done();
  };
  const refusal = Object.assign(new Error('5.1.1 unknown'), { responseCode: 550 });
  const server = await MailServer.start({
    onRcptTo: ({ address }, _session, done) => done(address === INBOX_GONE_LATER ? refusal : null),
    onData: (stream, { envelope }, done) =>
      void take(
        stream,
        envelope.rcptTo.map(({ address }) => address),
        done,
      ),
  });
  return { server, arrived };
}

/** A running mail server, its next hop, and the CA of its certificate. */
export interface Running {
  readonly server: RealMailServer;
  readonly nextHop: NextHop;
  readonly caFile: string;
}

const urlOf = ({ port }: RealMailServer) => `smtp://localhost:${port}`;
const caOf = (file: string) => encodeURIComponent(readFileSync(file, 'utf8'));

/** Returns the cases by title. `running` is called when a case runs. */
export function casesOf(running: () => Running): Readonly<Record<string, () => Promise<void>>> {
  const settings = { ...MAIL_SETTINGS, MAIL_BOUNCES_TO: BOUNCES_TO };
  const withMailer = async (extra: object, use: (mailer: Mailer) => Promise<void>) => {
    const { server, caFile } = running();
    const mailer = new Mailer({ ...settings, SMTP_URL: `${urlOf(server)}?tls.ca=${caOf(caFile)}`, ...extra });
    await use(mailer);
  };
  const letter = (email = 'ada@visitor.example', rest: Partial<Mail> = {}): Mail => ({
    ...submissionMail(contactSubmission({ email }), settings),
    ...rest,
  });
  const arrivalOf = async ({ messageId }: Mail) => {
    const { nextHop } = running();
    await until(
      'the message at the next hop',
      () => nextHop.arrived.some(({ mail }) => mail.messageId === messageId),
      30_000,
    );
    return nextHop.arrived.find(({ mail }) => mail.messageId === messageId);
  };
  const fails = (mail: Mail, expected: { kind: string; reason: RegExp }, extra = {}) =>
    withMailer(extra, async (mailer) => {
      const error = await mailer.send(mail).then(
        () => assert.fail('the message was accepted'),
        (failure: unknown) => failure,
      );
      const { kind, reason } = error as DeliveryError;
      assert.match(reason, expected.reason);
      assert.equal(kind, expected.kind);
      assert.doesNotMatch(reason, /visitor/);
    });
  const replyToOf = (raw = '') => /^Reply-To:.*(?:\r\n[ \t].*)*/im.exec(raw)?.[0];

  return {
    'accepts a message over STARTTLS from the host name of the site': () =>
      withMailer({}, async (mailer) => {
        const mail = letter();
        await mailer.verify();
        await mailer.send(mail);
        const arrival = await arrivalOf(mail);
        assert.equal(arrival?.mail.subject, mail.subject);
        assert.match(arrival?.raw ?? '', /kitewright\.example/);
      }),
    'is not trusted, and the reason names NODE_EXTRA_CA_CERTS > CA is unknown': () =>
      fails(
        letter(),
        { kind: 'server-away', reason: /certificate is not trusted.*NODE_EXTRA_CA_CERTS/ },
        { SMTP_URL: urlOf(running().server) },
      ),
    'rejects an IP address in EHLO, and the reason names SMTP_HELO_NAME': () =>
      fails(
        letter(),
        { kind: 'server-away', reason: /SMTP 421 4\.7\.0.*SMTP_HELO_NAME/ },
        { SMTP_HELO_NAME: '[127.0.0.1]' },
      ),
    'returns an undeliverable message to MAIL_BOUNCES_TO': () =>
      withMailer({}, async (mailer) => {
        const mail = letter('ada@visitor.example', { to: INBOX_GONE_LATER });
        await mailer.send(mail);
        await until(
          'the bounce',
          () =>
            running().nextHop.arrived.some(({ to, raw }) => to.includes(BOUNCES_TO) && raw.includes(mail.messageId)),
          30_000,
        );
      }),
    'rejects a message > inbox is full': () =>
      fails(letter(undefined, { to: FULL_INBOX }), { kind: 'refused', reason: /SMTP 552 5\.2\.2/ }),
    'rejects one inbox > relay access denied': () =>
      fails(letter(undefined, { to: FOREIGN_INBOX }), { kind: 'refused', reason: /SMTP 55[04]/ }),
    'rejects a message > larger than the announced SIZE': () =>
      fails(letter(undefined, { text: 'x'.repeat(MESSAGE_MAX_BYTES) }), { kind: 'refused', reason: /larger/ }),
    'accepts an unusual address in Reply-To, quoted': () =>
      withMailer({}, async (mailer) => {
        const mail = letter('user.@docomo.ne.jp');
        await mailer.send(mail);
        assert.match(replyToOf((await arrivalOf(mail))?.raw) ?? '', /<"user\."@docomo\.ne\.jp>/);
      }),
    'accepts a message without Reply-To > address that is not ASCII': () =>
      withMailer({}, async (mailer) => {
        const mail = letter('josé@visitor.example');
        await mailer.send(mail);
        const arrival = await arrivalOf(mail);
        assert.equal(replyToOf(arrival?.raw), undefined);
        assert.match(arrival?.mail.text ?? '', /Replying does not reach the visitor[^]*josé@visitor\.example/);
      }),
  };
}
