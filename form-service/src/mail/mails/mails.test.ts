import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { MAIL_EXAMPLES, MAIL_SETTINGS as settings } from '../../../test/mail-examples.ts';
import { SERVICE } from '../../../test/services.ts';
import { applicationSubmission, contactSubmission } from '../../../test/submissions.ts';
import { words } from '../../../test/words.ts';
import { SITE_HOST } from '../../../test/site-host.ts';
import type { FormField } from '../../contract/define-form.ts';
import { application as applicationForm } from '../../contract/forms/application.ts';
import { contact } from '../../contract/forms/contact.ts';
import { nounOf } from '../../contract/forms.ts';
import { LOCALE } from '../../contract/locale.ts';
import { fill } from '../../contract/messages.ts';
import { line, lines } from '../../contract/text.ts';
import { capitalized, labelOf, whyHeldBack } from '../../submissions/labels.ts';
import type { Submission } from '../../submissions/submission.ts';
import { digestMail } from './digest-mail.ts';
import { withBrand } from './brand.ts';
import type { Mail } from './mail.ts';
import { submissionMail } from './submission-mail.ts';
import { receivedAtText, sizeText, timeText, zoneText } from '../../html/format.ts';

const { submission: ofSubmission, ...common } = words.mails;
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
    const labels = new Set(
      wordsOf(
        [
          common.notePlain,
          ofSubmission.from({ name: '' }),
          ofSubmission.email,
          ofSubmission.phone,
          ofSubmission.reply,
          ofSubmission.openAt({ page: '' }),
          ofSubmission.fileNamed({ name: '' }),
        ].join(' '),
      ),
    );
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
    const sentence = ofSubmission.sentOnWhy({ name: 'hana', why: 'She <b>asked & waits.' });
    const head = `${ofSubmission.new({ noun: nounOf('contact') })}: .*\\n${ofSubmission.from({ name: 'Ada' })}`;
    expect(mail.text).toMatch(new RegExp(`^${head}\\n\\n${sentence}\\n\\n`));
    expect(seen(mail.html)).toContain(sentence);
    expect(mail.html).not.toContain('<b>asked');
    expect(mail.replyTo).toEqual({ name: 'Ada', address: 'ada@visitor.example' });
    const withoutReason = { ...sentOn, history: event({ event: 'sent on', by: 'hana', to: settings.SALES_INBOX }) };
    expect(submissionMail(withoutReason, settings).text).toContain(`\n${ofSubmission.sentOn({ name: 'hana' })}\n`);
    // The mailbox has left the settings, so the mail goes to that of the form.
    for (const other of [
      { ...sentOn, recipient: 'former@firm.net', form: 'application' as const },
      contactSubmission(),
    ])
      expect(submissionMail(other, settings).text).not.toContain(ofSubmission.sentOn({ name: '' }).trim());
  });

  it('load nothing, run nothing, and link to the visitor and the inbox only', () => {
    for (const [, mail] of examples) {
      expect(mail.html).not.toMatch(/<(?:img|script|link|iframe|object|svg)|@import|url\(|src=|background=/i);
      const inbox = `https://${SITE_HOST}/inbox`;
      const isExpected = (href: string) =>
        /^(?:mailto|tel):/.test(href) || href === inbox || href.startsWith(`${inbox}/KW-`);
      expect(linksOf(mail).filter((href) => !isExpected(href))).toEqual([]);
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

  it('have the mark of the brand in the head, and no bars at the left', () => {
    const mark = withBrand('var(--mark)');
    expect(mark).not.toBe('');
    for (const [, { html }] of examples) {
      expect(html).toContain(mark);
      expect(html).not.toMatch(/<td[^>]*border-left/);
    }
  });

  it('have a kite of four facets', () => {
    const kite = readFileSync(new URL('kite.html', import.meta.url), 'utf8');
    const facets = [...kite.matchAll(/border-(left|right):\S+ solid transparent;border-(top|bottom):/g)];
    expect(facets.map(([, side, end]) => `${end} ${side}`)).toEqual([
      'bottom left',
      'bottom right',
      'top left',
      'top right',
    ]);
  });

  it('have the colours of brand.yaml and no others', () => {
    for (const name of ['frame', 'kite', 'dot', 'submission', 'digest', 'acknowledgement'])
      expect(readFileSync(new URL(`${name}.html`, import.meta.url), 'utf8')).not.toMatch(/(?<!&)#[0-9a-f]{3,6}\b|rgb/);
    expect(withBrand('var(--ink) var(--ink-dark) var(--on-night)')).toMatch(/^#\w{6} #\w{6} #\w{6}$/);
    expect(() => withBrand('var(--mauve)')).toThrow('/brand.yaml has no mauve');
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
    expect(text.endsWith(`\n-- \n${common.sender({ company: 'Müller & <Söhne>' })}\n`)).toBe(true);
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
      for (const value of [`${labelOf('contact', 'budget')}: 10 to 50 <thousand>`, added.remarks])
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
      ' a Bcc: everyone@example.org (KW-',
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
    const day = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
    const [date, zone] = [new Intl.DateTimeFormat(LOCALE, day).format(Date.UTC(2026, 6, 21)), zoneText('Asia/Kolkata')];
    expect(text).toMatch(new RegExp(`${common.received}: ${date} \\S+ 05:00, ${zone}\\n`));
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
    const [noun, name] = [nounOf('contact'), 'Ana Silva'];
    expect(subject).toBe(`${ofSubmission.subjectWithTopic({ topic: SERVICE, noun, name })} (${submission.id})`);
    const title = `${ofSubmission.new({ noun })}: ${SERVICE}\n${ofSubmission.from({ name })}`;
    const head = `${title}\n\n${ofSubmission.email} ada@visitor.example\n\n${ofSubmission.reply}\n`;
    expect(text.startsWith(head)).toBe(true);
    const places = [
      `${SERVICE}</`,
      'Ana Silva</',
      ofSubmission.answer,
      'We need a new website.</',
      common.reference,
    ].map((shown) => html.indexOf(shown, html.indexOf('<h1')));
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
    expect(submissionMail(contactSubmission({ phone }), settings).text.includes(ofSubmission.phone)).toBe(phone !== '');
  });
});

describe('mails > released submission', () => {
  const reasons = ['honeypot filled', 'virus scan: <b>Eicar</b>'] as const;
  const history = [
    { at: '2026-11-20T09:00:00Z', event: 'released', by: 'sam' },
    { at: '2026-11-20T10:00:00Z', event: 'quarantined' },
    { at: '2026-11-20T11:00:00Z', event: 'released', by: 'hana' },
  ]
    .map((event) => `${JSON.stringify(event)}\n`)
    .join('');
  const said = `${whyHeldBack(reasons)} ${ofSubmission.releasedBy({ name: 'hana' })}`;

  it.each([
    ['an enquiry', submissionMail({ ...contactSubmission(), reasons, history }, settings)],
    [
      'an application',
      submissionMail({ ...applicationSubmission(Buffer.alloc(10)), reasons, history }, settings, { attached }),
    ],
  ])('begins with the reasons and who released it, in the words of the inbox > %s', (_what, { text, html }) => {
    expect(text).toContain(`${common.notePlain} ${said}`);
    expect(seen(html)).toContain(`${common.note} ${said}`);
    expect(html.indexOf(common.note)).toBeLessThan(html.indexOf('ada@visitor.example</a>'));
  });

  it('has no notice > no reasons', () => {
    expect(submissionMail(contactSubmission(), settings).text).not.toContain(common.notePlain);
  });
});

describe('submissionMail > address that is not ASCII', () => {
  it('has no Reply-To and a notice', () => {
    const mail = submissionMail(contactSubmission({ email: 'josé@visitor.example' }), settings);
    expect(mail.replyTo).toBeUndefined();
    expect(mail.text).toContain(`${common.notePlain} ${ofSubmission.cannotReply}`);
    expect(mail.text).not.toContain(ofSubmission.reply);
    expect(seen(mail.html)).toContain(ofSubmission.cannotReply);
    expect(linksOf(mail)).toContainEqual(expect.stringMatching(/^mailto:jos%C3%A9@visitor\.example\?subject=/));
  });

  it.each(['ada@visitor.example', 'user.@docomo.ne.jp', 'info@müller.example'])('has Reply-To > %s', (email) => {
    expect(submissionMail(contactSubmission({ email }), settings).replyTo?.address).toBe(email);
  });
});

describe('submissionMail', () => {
  const submission = applicationSubmission(Buffer.alloc(1_500_000));
  const byReference = ofSubmission.fileByReference({ reference: submission.id });

  it('begins with the position', () => {
    const [noun, name] = [nounOf('application'), 'Ada Example'];
    expect(submissionMail(submission, settings, { attached }).subject).toBe(
      `${ofSubmission.subjectWithTopic({ topic: 'Android Developer', noun, name })} (${submission.id})`,
    );
    const unnamed = { ...submission, fields: { ...submission.fields, position: '' } };
    expect(submissionMail(unnamed, settings, { attached }).subject).toBe(
      `${ofSubmission.subject({ noun: capitalized(noun), name })} (${submission.id})`,
    );
  });

  it('shows the facts about the file next to it', () => {
    const mail = submissionMail(submission, settings, { attached, isEncrypted: true });
    expect(mail.text).toContain(
      [
        ofSubmission.fileNamed({ name: 'résumé Ada.pdf' }),
        `PDF, ${sizeText(1_500_000)}, ${ofSubmission.attached}`,
        `${common.notePlain} ${ofSubmission.mayAskForPassword}\n`,
      ].join('\n'),
    );
    expect(seen(mail.html)).toContain(`${common.note} ${ofSubmission.mayAskForPassword}`);
    expect(mail.attachment).toMatchObject({ filename: 'résumé Ada.pdf', size: 1_500_000 });
  });

  it('explains who can get a file that is not attached', () => {
    const { text, html, attachment } = submissionMail(submission, settings, {});
    for (const part of [text, seen(html)]) expect(part).toContain(byReference);
    expect(text).toContain(`PDF, ${sizeText(1_500_000)}, ${ofSubmission.notAttached}`);
    expect(attachment).toBeUndefined();
  });

  it('names the code > the mail server does not accept the file', () => {
    const refusal = 'SMTP 554 5.7.1';
    const said = (extra: object) =>
      submissionMail(submission, { ...settings, ...extra }, { refusal })
        .text.split('\n')
        .find((line) => line.startsWith(common.notePlain));
    const why = `${common.notePlain} ${ofSubmission.refused({ code: refusal })}`;
    expect(said({ INBOX_USERS: [] })).toBe(`${why} ${ofSubmission.fileInInbox}`);
    expect(said({})).toBe(`${why} ${byReference}`);
  });

  it('links to the page with the file > inbox is on', () => {
    const page = `https://${SITE_HOST}/inbox/${submission.id}`;
    const withInbox = { ...settings, INBOX_USERS: [] };
    for (const [facts, advice, other] of [
      [{}, ofSubmission.fileInInbox, byReference],
      [{ finding: 'Eicar' }, ofSubmission.virusInInbox, ofSubmission.virusByReference({ reference: submission.id })],
    ] as const) {
      const mail = submissionMail(submission, withInbox, facts);
      expect(linksOf(mail)).toContain(page);
      expect(mail.text).toContain(ofSubmission.openAt({ page }));
      for (const part of [mail.text, seen(mail.html)]) {
        expect(part).toContain(advice);
        expect(part).not.toContain(other);
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
    expect(submissionMail(released, settings, { attached }).text).toContain(ofSubmission.released);
    const { text, html } = submissionMail(released, settings, { finding: 'Eicar' });
    for (const part of [text, seen(html)]) expect(part).not.toContain(ofSubmission.released);
  });
});

describe('timeText and zoneText', () => {
  const NOW = Date.parse('2027-01-02T10:00:00Z');

  it.each([
    ['2027-01-01T23:05:00Z', 'Fri 1 Jan 23:05', 'Fr 1 Jan 23:05'],
    ['2026-12-31T23:05:00Z', 'Thu 31 Dec 2026 23:05', 'Do 31 Dez 2026 23:05'],
  ])('have a weekday, and a year > %s in another year', (time, english, german) => {
    const text = timeText(Date.parse(time), 'Europe/Lisbon', 'short', NOW);
    expect(text.replaceAll(/[.,]/g, '')).toBe(LOCALE === 'de-DE' ? german : english);
  });

  it('have the year of the time zone > the year ends earlier there', () => {
    expect(timeText(Date.parse('2026-12-31T20:00:00Z'), 'Asia/Tokyo', 'short', NOW)).not.toContain('202');
  });

  it.each([
    ['Europe/Lisbon', words.submissions.zone({ city: 'Lisbon' })],
    ['America/Argentina/Buenos_Aires', words.submissions.zone({ city: 'Buenos Aires' })],
    ['UTC', LOCALE === 'de-DE' ? 'Koordinierte Weltzeit' : 'Coordinated Universal Time'],
    ['Etc/GMT+5', 'GMT-05:00'],
  ])('name the time zone in words > %s', (zone, text) => {
    expect(zoneText(zone)).toBe(text);
  });

  it('names UTC in short at the time of arrival', () => {
    expect(receivedAtText({ receivedAt: NOW }, 'UTC')).toMatch(/\d, UTC$/);
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
        const page = `https://${SITE_HOST}/inbox`;
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
