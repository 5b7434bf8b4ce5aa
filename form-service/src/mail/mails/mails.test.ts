import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { anyCharacter } from '../../../test/any-character.ts';
import { MAIL_EXAMPLES, MAIL_SETTINGS as settings } from '../../../test/mail-examples.ts';
import { linksOf, seen } from '../../../test/mail-text.ts';
import { applicationSubmission, contactSubmission } from '../../../test/submissions.ts';
import { words } from '../../../test/words.ts';
import { SITE_HOST } from '../../../test/site-host.ts';
import type { FormField } from '../../contract/define-form.ts';
import { application as applicationForm } from '../../contract/forms/application.ts';
import { contact } from '../../contract/forms/contact.ts';
import { nounOf } from '../../contract/forms.ts';
import { LOCALE } from '../../contract/locale.ts';
import { labelOf, whyHeldBack } from '../../submissions/labels.ts';
import type { Submission } from '../../submissions/submission.ts';
import { digestMail } from './digest-mail.ts';
import { withBrand } from './brand.ts';
import { submissionMail } from './submission-mail.ts';
import { zoneText } from '../../html/format.ts';

const { submission: ofSubmission, ...common } = words.mails;
const attached = async () => Readable.from([]);
const anyText = fc.string({ unit: 'grapheme', maxLength: 300 });
const examples = Object.entries(MAIL_EXAMPLES);

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

  it('say who has sent them on to their mailbox', () => {
    const event = (rest: object) => `${JSON.stringify({ at: new Date(), ...rest })}\n`;
    const history =
      event({ event: 'sent on', by: 'sam', to: 'board@firm.net' }) +
      event({ event: 'sent on', by: 'hana', to: settings.SALES_INBOX }) +
      event({ event: 'sent again', by: 'bo' });
    const sentOn = { ...contactSubmission({ name: 'Ada' }), recipient: settings.SALES_INBOX, history };
    const mail = submissionMail(sentOn, settings);
    const sentence = ofSubmission.sentOn({ name: 'hana' });
    const head = `${ofSubmission.new({ noun: nounOf('contact') })}: .*\\n${ofSubmission.from({ name: 'Ada' })}`;
    expect(mail.text).toMatch(new RegExp(`^${head}\\n\\n${sentence}\\n\\n`));
    expect(seen(mail.html)).toContain(sentence);
    expect(mail.replyTo).toEqual({ name: 'Ada', address: 'ada@visitor.example' });
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

  it('use tables of at most 600 px, inline colours and the mark of the brand', () => {
    expect(withBrand('var(--mark)')).not.toBe('');
    for (const [, { html }] of examples) {
      expect(html).not.toMatch(/display:\s*(?:flex|grid)|position:|var\(|float:/);
      expect(html).toContain('max-width:600px');
      expect(html).toContain(withBrand('var(--mark)'));
      expect(html).toContain('<meta name="color-scheme" content="light dark">');
      for (const [, classes = '', rest = ''] of html.matchAll(/class="([^"]*\bink\b[^"]*)"([^>]*)/g))
        expect([classes, rest]).toEqual([classes, expect.stringMatching(withBrand('color:var(--ink)'))]);
    }
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

  it('have every value with its label in both parts > any field of the forms, and added ones', () => {
    const added = { budget: '10 to 50 <thousand>', remarks: 'First line\n\nSecond & last' };
    const valuesOf = ({ fields }: { readonly fields: readonly FormField[] }) =>
      Object.fromEntries(fields.map(({ name }) => [name, `value-of-${name}@firm.example`]));
    const { resume: _, ...applied } = valuesOf(applicationForm);
    const filled = valuesOf(contact);
    const application = applicationSubmission(Buffer.alloc(10));
    for (const [values, { text, html }] of [
      [filled, submissionMail({ ...contactSubmission(), fields: { ...filled, ...added } }, settings)],
      [applied, submissionMail({ ...application, fields: { ...applied, ...added } }, settings, { attached })],
    ] as const) {
      for (const value of [...Object.values(values), ...Object.values(added)]) {
        expect(text).toContain(value);
        expect(seen(html)).toContain(value);
      }
      expect(text).toContain(`${labelOf('contact', 'budget')}: ${added.budget}`);
    }
  });

  it('end the subject with the reference > any value', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 250, size: 'max' }), (name) => {
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

describe('digestMail', () => {
  const digestOf = (one: Submission) =>
    digestMail(
      {
        recipient: 'a@firm.net',
        since: 0,
        until: 1,
        rows: [{ ...one, why: 'quarantined' }],
        failed: 0,
        quarantined: 1,
        older: 0,
        firstDeletedAt: 0,
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

  it.each(['honeypot filled', 'markup of a web page'])(
    'quotes nothing of a submission > the reason is: %s',
    (reason) => {
      const reasons = ['many links', reason];
      for (const one of [contactSubmission({ name: 'Bait' }), applicationSubmission(Buffer.alloc(1))]) {
        const { text } = digestOf({ ...one, state: 'quarantined', reasons });
        expect(text).toContain(one.id);
        expect(text.replaceAll(/\s+/g, ' ')).toContain(whyHeldBack(reasons));
        expect(text).not.toMatch(/Bait|Ada Example|Android|Hello|We need/);
      }
    },
  );

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
