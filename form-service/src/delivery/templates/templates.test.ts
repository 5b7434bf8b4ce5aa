import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { applicationSubmission, contactSubmission } from '../../../test/submissions.ts';
import { encodedSize } from '../mail.ts';
import { applicationMail, setAsideMail } from './application-mail.ts';
import { enquiryMail } from './enquiry-mail.ts';
import { escapeHtml } from './message-body.ts';
import { sizeText, subjectLine } from './wording.ts';

const settings = { SALES_INBOX: 'hello@kitewright.example', HR_INBOX: 'careers@kitewright.example', SITE_URL: 'https://kitewright.example' };
const attached = async () => Readable.from([]);
const anyText = fc.string({ unit: 'grapheme', maxLength: 300 });

/** The text of an HTML part as a reader sees it. */
const seen = (html: string) =>
  html.replace(/<[^>]*>/g, '').replace(/&(amp|lt|gt|quot|#39);/g, (entity) => ({ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" })[entity] ?? entity);

describe('an enquiry’s mail', () => {
  it('holds every value as typed, whatever it is, and no markup of the visitor’s', () => {
    fc.assert(
      fc.property(anyText, anyText, (name, message) => {
        const mail = enquiryMail(contactSubmission({ name, message }), settings);
        expect(mail.text).toContain(message);
        expect(seen(mail.html)).toContain(message);
        expect(seen(mail.html)).toContain(name);
        expect(mail.replyTo.name).toBe(name);
        const tags = new Set(Array.from(mail.html.matchAll(/<([a-z0-9]+)/g), ([, tag]) => tag));
        expect([...tags].filter((tag) => !['html', 'head', 'meta', 'title', 'style', 'body', 'h1', 'h2', 'dl', 'dt', 'dd', 'div'].includes(tag ?? ''))).toEqual([]);
      }),
    );
  });

  it('leaves out what was not filled in', () => {
    expect(enquiryMail(contactSubmission({ phone: '' }), settings).text).not.toContain('Phone');
    expect(enquiryMail(contactSubmission({ phone: '123' }), settings).text).toContain('Phone: 123');
  });
});

describe('the mail of a submission that an operator released', () => {
  const reasons = ['honeypot filled', 'virus scan: <b>Eicar</b>'];
  const submission = { ...contactSubmission(), reasons };
  const said = 'this was set aside because of: honeypot filled, virus scan: <b>Eicar</b>. An operator looked at it and released it.';

  it.each([
    ['an enquiry', enquiryMail(submission, settings)],
    ['an application', applicationMail({ ...applicationSubmission(Buffer.alloc(10)), reasons }, settings, { attached })],
  ])('says first why it was set aside: %s', (_what, { text, html }) => {
    expect(text).toContain(`NOTE: ${said}`);
    expect(seen(html)).toContain(`Note: ${said}`);
    expect(html).not.toContain('<b>');
  });

  it('says nothing of the kind where there was nothing', () => {
    expect(enquiryMail(contactSubmission(), settings).text).not.toContain('NOTE');
  });
});

describe('an application’s mail', () => {
  const submission = applicationSubmission(Buffer.alloc(1_500_000));

  it('states the file and warns of what inspection found', () => {
    const resume = { ...submission.resume, warnings: ['contains macros'] };
    const mail = applicationMail({ ...submission, resume }, settings, { attached });
    expect(mail.text).toContain('NOTE: careful with the file: contains macros');
    expect(mail.html).toContain('<strong>Note: careful with the file: contains macros</strong>');
    expect(mail.text).toContain('File size: 1.4 MB (1,500,000 bytes)');
    expect(mail.attachment).toMatchObject({ filename: 'résumé Ada.pdf', size: 1_500_000 });
    expect(mail.subject).toBe(`Application ${submission.id}: Android Developer, Ada Example`);
  });

  it('counts the encoded file into the size of the message', () => {
    const [withFile, without] = [applicationMail(submission, settings, { attached }), applicationMail(submission, settings, 'left out')];
    expect(without.attachment).toBeUndefined();
    expect(encodedSize(withFile) - encodedSize(without)).toBeGreaterThan(1_500_000 * 1.36);
  });

  it('has an identity of its own when it tells of a finding', () => {
    const mail = setAsideMail(submission, settings, 'Eicar');
    expect(mail.messageId).not.toBe(applicationMail(submission, settings, 'left out').messageId);
    expect(mail.attachment).toBeUndefined();
  });
});

describe('wording', () => {
  it('makes one bounded header line of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 250 }), (text) => {
        const line = subjectLine(text);
        expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        expect([...line].length).toBeLessThanOrEqual(180);
      }),
    );
    expect(subjectLine('a\r\nBcc: everyone@example.org')).toBe('a Bcc: everyone@example.org');
  });

  it('states sizes', () => {
    expect([12, 2_048, 10_485_760].map(sizeText)).toEqual(['12 bytes', '2.0 kB (2,048 bytes)', '10.0 MB (10,485,760 bytes)']);
  });

  it('escapes what HTML reserves', () => {
    expect(escapeHtml(`<a href="x">&'`)).toBe('&lt;a href=&quot;x&quot;&gt;&amp;&#39;');
  });
});
