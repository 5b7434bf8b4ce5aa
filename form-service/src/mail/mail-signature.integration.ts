import { generateKeyPairSync } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { verifyDkim } from '../../test/dkim.ts';
import { MAIL_SETTINGS as settings } from '../../test/mail-examples.ts';
import { keepRaw, MailServer } from '../../test/mail-server.ts';
import { contactSubmission } from '../../test/submissions.ts';
import { Mailer } from './mailer.service.ts';
import { submissionMail } from './mails/submission-mail.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const dkim = {
  DKIM_PRIVATE_KEY: {
    domainName: 'kitewright.example',
    keySelector: 'mail2026',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  },
};

let server: MailServer;
/** Messages as they came over the wire. */
let messages: Buffer[];

beforeEach(async () => {
  messages = [];
  server = await MailServer.start({ onData: keepRaw(messages) });
});

afterEach(() => server.stop());

async function sendWith(extra: Partial<typeof dkim>): Promise<string> {
  const mailer = new Mailer({ ...settings, ...extra, SMTP_URL: server.url });
  const file = Buffer.alloc(100_000, 'A line.\r\n');
  const attachment = {
    filename: 'résumé.pdf',
    mediaType: 'application/pdf',
    size: file.length,
    open: async () => Readable.from([file]),
  };
  const enquiry = contactSubmission({ name: 'Łukasz  "Lu"', message: 'Two  spaces, a trailing one \n.\n\n\n' });
  await mailer.send({ ...submissionMail(enquiry, settings), attachment });
  return messages.at(-1)?.toString('latin1') ?? '';
}

describe('mail signature (DKIM)', () => {
  it('is valid for the domain, the visible headers and the whole body', async () => {
    const verdict = verifyDkim(await sendWith(dkim), publicKey);
    expect(verdict).toMatchObject({
      bodyHolds: true,
      headersHold: true,
      tags: { v: '1', a: 'rsa-sha256', c: 'relaxed/relaxed', d: 'kitewright.example', s: 'mail2026' },
    });
    expect(verdict?.tags['h']?.toLowerCase().split(':')).toEqual(
      expect.arrayContaining(['from', 'reply-to', 'to', 'subject', 'date', 'message-id', 'content-type']),
    );
    expect(verdict?.tags['l']).toBeUndefined();
  });

  it('is invalid > changed message', async () => {
    const message = await sendWith(dkim);
    expect(verifyDkim(message.replace(/^Subject: /m, 'Subject: Re '), publicKey)).toMatchObject({
      bodyHolds: true,
      headersHold: false,
    });
    expect(verifyDkim(`${message}x`, publicKey)).toMatchObject({ bodyHolds: false, headersHold: true });
  });

  it('is absent > no key', async () => {
    expect(verifyDkim(await sendWith({}), publicKey)).toBeUndefined();
  });
});
