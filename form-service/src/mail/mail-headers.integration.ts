import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyCharacter } from '../../test/any-character.ts';
import { MAIL_SETTINGS as settings } from '../../test/mail-examples.ts';
import { MailServer } from '../../test/mail-server.ts';
import { sampled } from '../../test/sample.ts';
import { applicationSubmission } from '../../test/submissions.ts';
import { words } from '../../test/words.ts';
import { application } from '../contract/forms/application.ts';
import { safeFileName } from '../intake/submission-request.ts';
import { Mailer } from './mailer.service.ts';
import { submissionMail } from './mails/submission-mail.ts';

const RUNS = sampled(300, 90);

const HEADERS = [
  'content-language',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'reply-to',
  'subject',
  'to',
  'x-request-id',
];

/** Harmless texts and texts that are special in a header (header injection). */
const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: anyCharacter, maxLength: 6 }),
  fc.constantFrom(
    '\r\nBcc: eve@evil.example',
    '\n\n<html>',
    '" <eve@evil.example>, "',
    '=?utf-8?B?RXZl?=',
    '=?utf-8?Q?=0D=0ABcc:x?=',
    '; filename=x.exe',
    "*0*=utf-8''x",
    '\\"',
    '(x)',
    '<>',
    ',',
    ':',
    ';',
    '../',
    '\u202Efdp.',
    '\0',
  ),
);
const hostileText = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));

/** Ordinary addresses, and attempts to inject a second one; the schema decides. */
const address = fc.oneof(
  fc.emailAddress(),
  fc
    .tuple(
      fc.constantFrom('ada', 'a"b', 'a,b', 'a b', '<a', 'a\r\nBcc:b', '=?utf-8?Q?a?='),
      fc.constantFrom('@visitor.example', '@a.example,b@b.example', '@a.example>', '@v\r\n.example'),
    )
    .map((parts) => parts.join('')),
);

let server: MailServer;
let mailer: Mailer;

beforeAll(async () => {
  server = await MailServer.start();
  mailer = new Mailer({ ...settings, SMTP_URL: server.url });
});

afterAll(async () => {
  await server.stop();
});

const content = Buffer.from('%PDF-1.7');

/** Returns the visible text: folded white space becomes a blank, and word joiners are invisible. */
const seen = (text = '') => text.replace(/\s+/gu, ' ').replaceAll('=\u2060?', '=?').trim();

describe('mail headers > text of visitors', () => {
  it('arrives unchanged and injects no header, or is rejected', async () => {
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(hostileText, hostileText, hostileText, address, async (fullName, position, fileName, email) => {
        const fields = { fullName, position, email, phone: '', experience: '', coverLetter: '' };
        if (!(await application.schema.isValid(fields))) return;
        const submission = applicationSubmission(content);
        const resume = { ...submission.resume, name: safeFileName(fileName, '.pdf') };
        const mail = submissionMail({ ...submission, fields, resume }, settings, {
          attached: async () => Readable.from([content]),
        });
        await mailer.send(mail);
        sent++;

        const received = server.received.at(-1);
        expect([...(received?.headers.keys() ?? [])].sort()).toEqual(HEADERS);
        expect(received?.from?.value).toEqual([
          { address: settings.MAIL_FROM, name: words.mails.sender({ company: settings.COMPANY_NAME }) },
        ]);
        expect(received?.to).toMatchObject({ value: [{ address: settings.HR_INBOX, name: '' }] });
        expect(received?.replyTo?.value).toHaveLength(1);
        expect(received?.replyTo?.value[0]?.address).toBe(email);
        expect(seen(received?.replyTo?.value[0]?.name)).toBe(seen(fullName));
        expect(seen(received?.subject)).toBe(seen(mail.subject));
        expect(received?.messageId).toBe(mail.messageId);
        expect(received?.attachments.map(({ filename, contentType }) => [filename, contentType])).toEqual([
          [resume.name, 'application/pdf'],
        ]);
        expect(received?.attachments[0]?.content.equals(content)).toBe(true);
      }),
      { numRuns: RUNS },
    );
    expect(sent).toBeGreaterThan(RUNS / 15);
    expect(new Set(server.recipients)).toEqual(new Set([settings.HR_INBOX]));
  });
});
