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

  const refusal = 'SMTP 554 5.7.1';
  const why = `${common.notePlain} ${ofSubmission.refused({ code: refusal })}`;
  const INBOX = { INBOX_USERS: [] };
  it.each([
    ['it is too large', {}, {}, byReference],
    ['it is too large, with an inbox', INBOX, {}, ofSubmission.fileInInbox],
    ['the server refused it', {}, { refusal }, `${why} ${byReference}`],
    ['the server refused it, with an inbox', INBOX, { refusal }, `${why} ${ofSubmission.fileInInbox}`],
    ['it has a virus', {}, { finding: 'Eicar' }, ofSubmission.virusByReference({ reference: submission.id })],
    ['it has a virus, with an inbox', INBOX, { finding: 'Eicar' }, ofSubmission.virusInInbox],
  ])('explains who can get a file that is not attached > %s', (_what, extra, facts, sentence) => {
    const mail = submissionMail(submission, { ...settings, ...extra }, facts);
    expect(mail.attachment).toBeUndefined();
    expect(mail.text).toContain(sentence);
    expect(seen(mail.html)).toContain(sentence.replace(`${common.notePlain} `, ''));
    const page = `https://${SITE_HOST}/inbox/${submission.id}`;
    const isLinked = extra === INBOX;
    expect([linksOf(mail).includes(page), mail.text.includes(ofSubmission.openAt({ page }))]).toEqual([
      isLinked,
      isLinked,
    ]);
  });

  it('does not mention an earlier release > virus found', () => {
    const released = { ...submission, reasons: ['many links'] };
    expect(submissionMail(released, settings, { attached }).text).toContain(ofSubmission.released);
    const { text, html } = submissionMail(released, settings, { finding: 'Eicar' });
    for (const part of [text, seen(html)]) expect(part).not.toContain(ofSubmission.released);
  });
});
