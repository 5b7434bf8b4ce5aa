import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { MAIL_SETTINGS as settings } from '../../../test/mail-examples.ts';
import { linksOf, seen } from '../../../test/mail-text.ts';
import { SERVICE } from '../../../test/services.ts';
import { applicationSubmission, contactSubmission } from '../../../test/submissions.ts';
import { words } from '../../../test/words.ts';
import { SITE_HOST } from '../../../test/site-host.ts';
import { contact } from '../../contract/forms/contact.ts';
import { nounOf } from '../../contract/forms.ts';
import { fill } from '../../contract/messages.ts';
import { capitalized, whyHeldBack } from '../../submissions/labels.ts';
import { submissionMail } from './submission-mail.ts';
import { sizeText } from '../../html/format.ts';

const { submission: ofSubmission, ...common } = words.mails;
const attached = async () => Readable.from([]);

describe('submissionMail', () => {
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
  it.each([
    ['+44 (0)20 7946 0018', 'tel:+442079460018'],
    ['after six, please', undefined],
    ['', undefined],
  ])('calls a number, and shows other words > %j', (phone, url) => {
    const mail = submissionMail(contactSubmission({ phone }), settings);
    expect(linksOf(mail).find((href) => href.startsWith('tel:'))).toBe(url);
    expect(mail.text.includes(ofSubmission.phone)).toBe(phone !== '');
    expect(seen(mail.html)).toContain(phone);
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
    const mail = submissionMail(submission, settings, { attached });
    expect(mail.text).toContain(
      [
        ofSubmission.fileNamed({ name: 'résumé Ada.pdf' }),
        `PDF, ${sizeText(1_500_000)}, ${ofSubmission.attached}`,
      ].join('\n'),
    );
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
