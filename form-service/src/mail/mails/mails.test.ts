import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { MAIL_EXAMPLES, MAIL_SETTINGS as settings } from '../../../test/mail-examples.ts';
import { SERVICE } from '../../../test/services.ts';
import { applicationSubmission, contactSubmission } from '../../../test/submissions.ts';
import type { FormField } from '../../contract/define-form.ts';
import { application as applicationForm } from '../../contract/forms/application.ts';
import { contact } from '../../contract/forms/contact.ts';
import { labelOf } from '../../submissions/labels.ts';
import { nounOf } from '../../contract/forms.ts';
import { fill } from '../../contract/messages.ts';
import { line, lines } from '../../contract/text.ts';
import { capitalized } from '../../submissions/labels.ts';
import type { Submission } from '../../submissions/submission.ts';
import { digestMail } from './digest-mail.ts';
import { withBrand } from './brand.ts';
import type { Mail } from './mail.ts';
import { submissionMail } from './submission-mail.ts';
import { timeText, zoneText } from '../../html/format.ts';

const attached = async () => Readable.from([]);
const anyText = fc.string({ unit: 'grapheme', maxLength: 300 });
/** Texts that the schema of a form accepts, trimmed. */
const storedText = (schema: ReturnType<typeof line>) =>
  anyText.map((value) => schema.cast(value).trim()).filter((value) => schema.isValidSync(value));
const examples = Object.entries(MAIL_EXAMPLES);

/** Returns the visible text of an HTML part. Content for Outlook is in comments. */
function seen(html: string): string {
  const body = html.slice(html.indexOf('<body')).replace(/<!--[^]*?-->/g, '');
  const text = body
    .replace(/<p([^>]*)><br><\/p>/g, '<p$1></p>')
    .replace(/<br>/g, '\n')
    .replace(/<\/p>\s*<div[^>]*>&nbsp;<\/div>\s*<p[^>]*>/g, '\n\n')
    .replace(/<[^>]*>/g, '');
  return text.replace(/&#(\d+);/g, (_entity, code: string) => String.fromCodePoint(Number(code)));
}

const linksOf = ({ html }: Mail) =>
  Array.from(html.matchAll(/href="([^"]*)"/g), ([, href = '']) => seen(`<body>${href}`));

describe('mails', () => {
  it('have every word of the text part in the HTML part, except labels and links', () => {
    const wordsOf = (part: string) => part.match(/[\p{L}\p{N}]+/gu) ?? [];
    const labels = new Set(wordsOf('NOTE: from Email: Phone: To answer, reply to this message.'));
    const missing = examples.flatMap(([name, { text, html }]) => {
      const shown = new Set([...labels, ...wordsOf(seen(html))]);
      const words = wordsOf(text.replace(/https:\S+/g, ''));
      return words.flatMap((word) => (shown.has(word) ? [] : [`${name}: ${word}`]));
    });
    expect(missing).toEqual([]);
  });

  it('say who has sent them on to their mailbox, and why', () => {
    const event = (rest: object) => `${JSON.stringify({ at: new Date(), ...rest })}\n`;
    const history =
      event({ event: 'sent on', by: 'sam', to: 'board@firm.net', text: 'The first.' }) +
      event({ event: 'sent on', by: 'hana', to: settings.SALES_INBOX, text: 'She <b>asked & waits.' }) +
      event({ event: 'sent again', by: 'bo' });
    const sentOn = { ...contactSubmission({ name: 'Ada' }), recipient: settings.SALES_INBOX, history };
    const mail = submissionMail(sentOn, settings);
    const sentence = 'Sent on by hana: She <b>asked & waits.';
    expect(mail.text).toMatch(new RegExp(`^New ${nounOf('contact')}: .*\\nfrom Ada\\n\\n${sentence}\\n\\n`));
    expect(seen(mail.html)).toContain(sentence);
    expect(mail.html).not.toContain('<b>asked');
    expect(mail.replyTo).toEqual({ name: 'Ada', address: 'ada@visitor.example' });
    const withoutReason = { ...sentOn, history: event({ event: 'sent on', by: 'hana', to: settings.SALES_INBOX }) };
    expect(submissionMail(withoutReason, settings).text).toContain('\nSent on by hana\n');
    // The mailbox has left the settings, so the mail goes to that of the form.
    for (const other of [
      { ...sentOn, recipient: 'former@firm.net', form: 'application' as const },
      contactSubmission(),
    ])
      expect(submissionMail(other, settings).text).not.toContain('Sent on');
  });

  it('load nothing, run nothing, and link to the visitor and the inbox only', () => {
    for (const [, mail] of examples) {
      expect(mail.html).not.toMatch(/<(?:img|script|link|iframe|object|svg)|@import|url\(|src=|background=/i);
      expect(
        linksOf(mail).filter((href) => !/^(?:mailto:|tel:|https:\/\/kitewright\.example\/inbox(?:\/KW-|$))/.test(href)),
      ).toEqual([]);
    }
  });

  it('use tables of at most 600 px and inline colours', () => {
    for (const [, { html }] of examples) {
      expect(html).not.toMatch(/display:\s*(?:flex|grid)|position:|var\(|float:/);
      expect(html).toContain('max-width:600px');
      expect(html).toContain('<meta name="color-scheme" content="light dark">');
      for (const [, classes = '', rest = ''] of html.matchAll(/class="([^"]*\bink\b[^"]*)"([^>]*)/g))
        expect([classes, rest]).toEqual([classes, expect.stringMatching(withBrand('color:var(--ink)'))]);
    }
  });

  it('have the colours of brand.yaml and no others', () => {
    for (const name of ['frame', 'submission', 'digest', 'acknowledgement'])
      expect(readFileSync(new URL(`${name}.html`, import.meta.url), 'utf8')).not.toMatch(/(?<!&)#[0-9a-f]{3,6}\b|rgb/);
    expect(withBrand('var(--ink) var(--ink-dark) var(--on-night)')).toMatch(/^#\w{6} #\w{6} #\w{6}$/);
    expect(() => withBrand('var(--mauve)')).toThrow('frontend/content/brand.yaml has no mauve');
  });

  it('never ask the reader of a submission to run a command', () => {
    for (const [name, { text, html }] of examples.filter(([name]) => !name.startsWith('digest')))
      for (const part of [text, seen(html)])
        expect([name, part]).not.toEqual([
          name,
          expect.stringMatching(/\bnpm\b|submissions (?:--|show|resume|release)/),
        ]);
  });

  it('have the configured company name', () => {
    const { text, html } = submissionMail(contactSubmission(), { ...settings, COMPANY_NAME: 'Müller & <Söhne>' });
    expect(text).toMatch(/\n-- \nMüller & <Söhne> website\n$/);
    expect(seen(html)).toContain('Müller & <Söhne>');
    expect(text + html).not.toMatch(/Kitewright/);
  });

  it('have every value in both parts > field added to a form', () => {
    const added = { budget: '10 to 50 <thousand>', remarks: 'First line\n\nSecond & last' };
    const contact = contactSubmission();
    const application = applicationSubmission(Buffer.alloc(10));
    for (const { text, html } of [
      submissionMail({ ...contact, fields: { ...contact.fields, ...added } }, settings),
      submissionMail({ ...application, fields: { ...application.fields, ...added } }, settings, { attached }),
    ]) {
      for (const value of ['budget (no longer asked): 10 to 50 <thousand>', added.remarks])
        expect(text).toContain(value);
      for (const value of ['budget', added.budget, 'remarks', added.remarks]) expect(seen(html)).toContain(value);
    }
  });

  it('have a label for every field of the forms', () => {
    const fieldsOf = (fields: readonly FormField[]) =>
      Object.fromEntries(fields.map(({ name }) => [name, `value-of-${name}@firm.example`]));
    const { resume: _, ...applied } = fieldsOf(applicationForm.fields);
    const application = applicationSubmission(Buffer.alloc(10));
    const mails = [
      submissionMail({ ...contactSubmission(), fields: fieldsOf(contact.fields) }, settings),
      submissionMail({ ...application, fields: applied }, settings, { attached }),
    ];
    expect(mails[0]?.text.match(/value-of-\w+/g)?.toSorted()).toEqual(
      expect.arrayContaining(contact.fields.map(({ name }) => `value-of-${name}`)),
    );
    for (const name of Object.keys(applied)) expect(mails[1]?.text).toContain(`value-of-${name}`);
    expect(mails[1]?.text).toContain(`${labelOf('application', 'experience')}: value-of-experience`);
  });

  it('end the subject with the reference > any value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 250, size: 'max' }), (name) => {
        const submission = contactSubmission({ name });
        const { subject } = submissionMail(submission, settings);
        expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        expect([...subject].length).toBeLessThanOrEqual(180);
        expect(subject.endsWith(` (${submission.id})`)).toBe(true);
      }),
    );
    expect(submissionMail(contactSubmission({ name: 'a\r\nBcc: everyone@example.org' }), settings).subject).toContain(
      'from a Bcc: everyone@example.org (KW-',
    );
  });

  it('set the writing direction of every value', () => {
    for (const [, { html }] of examples) {
      const body = html.slice(html.indexOf('<body'));
      const holders = body.matchAll(/<(\w[^>]*)>(?:[^<]|<br>)*[\u0590-\u06ff]/g);
      for (const [, tag = ''] of holders) expect(tag).toMatch(/ dir="(?:auto|rtl)"/);
    }
  });

  it('show the time of arrival in the time zone of the readers', () => {
    const submission = contactSubmission({}, { receivedAt: Date.parse('2026-07-20T23:30:00Z') });
    const { text } = submissionMail(submission, { ...settings, TIME_ZONE: 'Asia/Kolkata' });
    expect(text).toMatch(/Received: Tuesday,? 21 July 2026 at 05:00, Kolkata time/);
  });
});

describe('submissionMail', () => {
  it('has every value as it was typed and no markup of the visitor', () => {
    const tagsOf = ({ html }: Mail) => new Set(Array.from(html.matchAll(/<(\w+)/g), ([, tag]) => tag));
    const usual = new Set([
      ...tagsOf(submissionMail(contactSubmission({ phone: '+351 21 555 0142' }), settings)),
      'br',
    ]);
    fc.assert(
      fc.property(storedText(line()), storedText(line()), storedText(lines()), (name, phone, message) => {
        const mail = submissionMail(contactSubmission({ name, phone, message }), settings);
        for (const value of [name, phone, message]) {
          expect(mail.text).toContain(value);
          expect(seen(mail.html)).toContain(value.replace(/\r\n?/g, '\n'));
        }
        expect(mail.replyTo?.name).toBe(name || 'ada@visitor.example');
        expect([...tagsOf(mail)].filter((tag) => !usual.has(tag))).toEqual([]);
      }),
    );
  });

  it('begins with the service, the person and the contact details', () => {
    const submission = contactSubmission({ name: 'Ana Silva' });
    const { subject, text, html } = submissionMail(submission, settings);
    expect(subject).toBe(`${SERVICE} ${nounOf('contact')} from Ana Silva (${submission.id})`);
    const title = `New ${nounOf('contact')}: ${SERVICE}\nfrom Ana Silva`;
    expect(text.startsWith(`${title}\n\nEmail: ada@visitor.example\n\nTo answer, reply to this mess`)).toBe(true);
    const places = [`${SERVICE}</`, 'Ana Silva</', 'Answer by email', 'We need a new website.</', 'Reference'].map(
      (words) => html.indexOf(words, html.indexOf('<h1')),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(Math.min(...places)).toBeGreaterThan(0);
  });

  it('shows the beginning of the message as its preview', () => {
    const { html } = submissionMail(contactSubmission({ message: `First\n\nsecond ${'word '.repeat(100)}` }), settings);
    expect(seen(html).trimStart()).toMatch(/^First second word [^\n]{50,130}…\n/);
  });

  it('sets the writing direction of each paragraph', () => {
    const { html } = submissionMail(contactSubmission({ message: 'Hello\n\n“שלום” Ada\n\n123 مرحبا' }), settings);
    expect(Array.from(html.matchAll(/<p dir="(\w+)"/g), ([, dir]) => dir)).toEqual(['auto', 'rtl', 'rtl']);
  });
});

describe('submissionMail > reply button', () => {
  const answerTo = (email: string) =>
    linksOf(submissionMail(contactSubmission({ email }, { id: 'KW-1111-1111-1111-1111' }), settings))[0];
  const answer = fill(contact.words.answer, { topic: SERVICE });
  const SUBJECT = `?subject=${encodeURIComponent(`${answer} (KW-1111-1111-1111-1111)`)}`;

  it.each([
    ['ada@visitor.example', 'mailto:ada@visitor.example'],
    ['a+b&c?d=e%f@visitor.example', 'mailto:a%2Bb%26c%3Fd%3De%25f@visitor.example'],
    ['user.@docomo.ne.jp', 'mailto:%22user.%22@docomo.ne.jp'],
    ['josé@visitor.example', 'mailto:jos%C3%A9@visitor.example'],
    ['info@müller.example', 'mailto:info@xn--mller-kva.example'],
  ])('opens a reply to %s with subject and reference', (email, url) => {
    expect(answerTo(email)).toBe(`${url}${SUBJECT}`);
  });
});

describe('submissionMail > call button', () => {
  const callTo = (phone: string) =>
    linksOf(submissionMail(contactSubmission({ phone }), settings)).find((href) => href.startsWith('tel:'));

  it.each([
    ['+351 21 555 0142', 'tel:+351215550142'],
    ['(030) 555-0142', 'tel:0305550142'],
    ['030/5550142', 'tel:0305550142'],
    ['+44 (0)20 7946 0018', 'tel:+442079460018'],
    ['020 7946 0018 ext. 12', 'tel:02079460018;ext=12'],
  ])('calls %s', (phone, url) => {
    expect(callTo(phone)).toBe(url);
  });

  it.each([
    '',
    'after six, please',
    'n/a',
    '112',
    '020 7946 0018 or 020 7946 0019',
    '555014 / 555015',
    '+1 23456789012345678',
  ])('is absent > %j', (phone) => {
    expect(callTo(phone)).toBeUndefined();
    expect(submissionMail(contactSubmission({ phone }), settings).text.includes('Phone')).toBe(phone !== '');
  });
});

describe('mails > released submission', () => {
  const reasons = ['honeypot filled', { kind: 'virus', name: '<b>Eicar</b>' }] as const;
  const history = [
    { at: '2026-11-20T09:00:00Z', event: 'released', by: 'sam' },
    { at: '2026-11-20T10:00:00Z', event: 'quarantined' },
    { at: '2026-11-20T11:00:00Z', event: 'released', by: 'hana' },
  ]
    .map((event) => `${JSON.stringify(event)}\n`)
    .join('');
  const said =
    'We held this back because a field was filled in that people cannot see and the virus scanner found <b>Eicar</b> in the file. Released by hana.';

  it.each([
    ['an enquiry', submissionMail({ ...contactSubmission(), reasons, history }, settings)],
    [
      'an application',
      submissionMail({ ...applicationSubmission(Buffer.alloc(10)), reasons, history }, settings, { attached }),
    ],
  ])('begins with the reasons and who released it, in the words of the inbox > %s', (_what, { text, html }) => {
    expect(text).toContain(`NOTE: ${said}`);
    expect(seen(html)).toContain(`Note: ${said}`);
    expect(html.indexOf('Note:')).toBeLessThan(html.indexOf('ada@visitor.example</a>'));
  });

  it('has no notice > no reasons', () => {
    expect(submissionMail(contactSubmission(), settings).text).not.toContain('NOTE');
  });
});

describe('submissionMail > address that is not ASCII', () => {
  it('has no Reply-To and a notice', () => {
    const mail = submissionMail(contactSubmission({ email: 'josé@visitor.example' }), settings);
    expect(mail.replyTo).toBeUndefined();
    expect(mail.text).toContain('NOTE: Replying does not reach the visitor');
    expect(mail.text).not.toContain('To answer, reply');
    expect(mail.html).toContain('Replying does not reach the visitor');
    expect(linksOf(mail)).toContainEqual(expect.stringMatching(/^mailto:jos%C3%A9@visitor\.example\?subject=/));
  });

  it.each(['ada@visitor.example', 'user.@docomo.ne.jp', 'info@müller.example'])('has Reply-To > %s', (email) => {
    expect(submissionMail(contactSubmission({ email }), settings).replyTo?.address).toBe(email);
  });
});

describe('submissionMail', () => {
  const submission = applicationSubmission(Buffer.alloc(1_500_000));

  it('begins with the position', () => {
    expect(submissionMail(submission, settings, { attached }).subject).toBe(
      `Android Developer ${nounOf('application')} from Ada Example (${submission.id})`,
    );
    const unnamed = { ...submission, fields: { ...submission.fields, position: '' } };
    expect(submissionMail(unnamed, settings, { attached }).subject).toBe(
      `${capitalized(nounOf('application'))} from Ada Example (${submission.id})`,
    );
  });

  it('shows the facts about the file next to it', () => {
    const mail = submissionMail(submission, settings, { attached, isEncrypted: true });
    expect(mail.text).toContain(
      'File: résumé Ada.pdf\nPDF, 1.4 MB, attached\nNOTE: The PDF is encrypted and may ask for a password: if it does, ask the applicant.\n',
    );
    expect(seen(mail.html)).toContain(
      'Note: The PDF is encrypted and may ask for a password: if it does, ask the applicant.',
    );
    expect(mail.attachment).toMatchObject({ filename: 'résumé Ada.pdf', size: 1_500_000 });
  });

  it('explains who can get a file that is not attached', () => {
    const { text, html, attachment } = submissionMail(submission, settings, {});
    for (const part of [text, seen(html)])
      expect(part).toContain(`Whoever runs the website can get it by the reference ${submission.id}.`);
    expect(text).toContain('PDF, 1.4 MB, not attached');
    expect(attachment).toBeUndefined();
  });

  it('names the code > the mail server does not accept the file', () => {
    const refusal = 'SMTP 554 5.7.1';
    const said = (extra: object) =>
      /^NOTE: Not attached: .*/m.exec(submissionMail(submission, { ...settings, ...extra }, { refusal }).text)?.[0];
    const why = 'NOTE: Not attached: the mail server does not accept this file (SMTP 554 5.7.1).';
    expect(said({ INBOX_USERS: [] })).toBe(`${why} Its page in the inbox has it.`);
    expect(said({})).toBe(`${why} Whoever runs the website can get it by the reference ${submission.id}.`);
  });

  it('links to the page with the file > inbox is on', () => {
    const page = `https://kitewright.example/inbox/${submission.id}`;
    const withInbox = { ...settings, INBOX_USERS: [] };
    for (const mail of [
      submissionMail(submission, withInbox, {}),
      submissionMail(submission, withInbox, { finding: 'Eicar' }),
    ]) {
      expect(linksOf(mail)).toContain(page);
      expect(mail.text).toContain(`Open it in the inbox: ${page}`);
      for (const part of [mail.text, seen(mail.html)]) {
        expect(part).toMatch(/[Ii]ts page in the inbox/);
        expect(part).not.toContain('Whoever runs the website');
      }
    }
  });

  it('has another Message-ID > virus found', () => {
    const mail = submissionMail(submission, settings, { finding: 'Eicar' });
    expect(mail.messageId).not.toBe(submissionMail(submission, settings, {}).messageId);
    expect(mail.attachment).toBeUndefined();
  });

  it('does not mention an earlier release > virus found', () => {
    const released = { ...submission, reasons: ['many links'] };
    expect(submissionMail(released, settings, { attached }).text).toContain('Released.');
    const { text, html } = submissionMail(released, settings, { finding: 'Eicar' });
    for (const part of [text, seen(html)]) expect(part).not.toContain('Released');
  });
});

describe('timeText and zoneText', () => {
  const NOW = Date.parse('2027-01-02T10:00:00Z');

  it.each([
    ['2027-01-01T23:05:00Z', 'Fri 1 Jan, 23:05'],
    ['2026-12-31T23:05:00Z', 'Thu 31 Dec 2026, 23:05'],
  ])('have a weekday, and a year > %s in another year', (time, text) => {
    expect(timeText(Date.parse(time), 'Europe/Lisbon', 'short', NOW).replace(/^(\w+),/, '$1')).toBe(text);
  });

  it('have the year of the time zone > the year ends earlier there', () => {
    expect(timeText(Date.parse('2026-12-31T20:00:00Z'), 'Asia/Tokyo', 'short', NOW)).not.toContain('202');
  });

  it.each([
    ['Europe/Lisbon', 'Lisbon time'],
    ['America/Argentina/Buenos_Aires', 'Buenos Aires time'],
    ['UTC', 'Coordinated Universal Time'],
    ['Etc/GMT+5', 'GMT-05:00'],
  ])('name the time zone in words > %s', (zone, words) => {
    expect(zoneText(zone)).toBe(words);
  });
});

describe('digestMail', () => {
  const digestOf = (one: Submission) =>
    digestMail(
      {
        recipient: 'a@firm.net',
        since: 0,
        until: 1,
        rows: [one],
        failed: 0,
        quarantined: 1,
        older: 0,
        firstDeletedAt: 0,
        reminders: [],
        reminded: 0,
      },
      { ...settings, INBOX_USERS: [] },
    );
  const address = fc.oneof(
    fc.webUrl(),
    fc.emailAddress(),
    fc.domain(),
    fc.constantFrom('//evil.com', 'WWW.EVIL.COM', 'ftp://a.b'),
  );
  const written = fc.array(fc.oneof(anyText, address), { maxLength: 5 }).map((parts) => parts.join(' '));

  it('has no link from any text of a visitor, also in programs that create links', async () => {
    await fc.assert(
      fc.asyncProperty(written, written, written, async (name, position, coverLetter) => {
        const applied = applicationSubmission(Buffer.alloc(1));
        const fields = { ...applied.fields, fullName: name, position, coverLetter };
        const mail = digestOf({ ...applied, state: 'quarantined', fields });
        const page = `https://kitewright.example/inbox`;
        expect(linksOf(mail).toSorted()).toEqual([page, `${page}/${applied.id}`]);
        for (const text of [mail.text, seen(mail.html)]) {
          const { textAsHtml = '' } = await simpleParser(`Content-Type: text/plain; charset=utf-8\n\n${text}`);
          const linked = Array.from(textAsHtml.matchAll(/href="([^"]*)"/g), ([, href = '']) => href);
          expect(linked.filter((href) => !href.startsWith(page))).toEqual([]);
        }
      }),
    );
  });
});
