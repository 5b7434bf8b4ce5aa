import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { applicationFields, contactFields } from '../../contract/fields.ts';
import { FORMS } from '../forms.ts';
import { HttpError, toHttpError } from '../http-error.ts';
import { errorPage, formPage, sentPage } from './pages.ts';

const COMPANY = 'Müller & Söhne';

const refusal = new HttpError('invalid', 'Please check the form.', { errors: { email: ['Invalid email address'] } });

describe('The page of a form with errors', () => {
  it.each([
    { form: FORMS.contact, fields: contactFields },
    { form: FORMS.application, fields: applicationFields },
  ])('The page of $form.path has every field of the contract, in its order and with its label', ({ form, fields }) => {
    const page = formPage(COMPANY, form, refusal, {});
    const controls = Array.from(page.matchAll(/<(?:input|select|textarea) id="([^"]+)"/g), ([, id]) => id);
    expect(controls).toEqual(fields.map(({ name }) => name as string));
    for (const name of controls) expect(page).toContain(`<label for="${name}">`);
  });

  it('The page keeps what was typed, escaped', () => {
    const page = formPage(COMPANY, FORMS.contact, refusal, {
      name: '"><script>',
      message: '\n</textarea>&',
      service: 'Web Development',
    });
    expect(page).toContain('value="&#34;&#62;&#60;script&#62;"');
    expect(page).toContain('>\n\n&#60;/textarea&#62;&#38;</textarea>');
    expect(page).toContain('<option selected>Web Development</option>');
    expect(page).not.toContain('<script');
  });

  it('The page keeps any text as it was typed, and no markup in it', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.constantFrom(
        '"><script>alert(1)</script>',
        '</textarea><img src=x onerror=1>',
        "' autofocus onfocus='",
        '&quot;&#x3c;',
        '\n\nfirst',
      ),
    );
    const tagsOf = (page: string) => Array.from(page.matchAll(/<([a-z0-9]+)/g), ([, tag]) => tag);
    const ordinary = tagsOf(formPage(COMPANY, FORMS.contact, refusal, {}));
    fc.assert(
      fc.property(text, text, (name, message) => {
        const page = formPage(COMPANY, FORMS.contact, refusal, { name, message });
        expect(tagsOf(page)).toEqual(ordinary);
        expect(readBack(/<input id="name"[^>]* value="([^"]*)"/.exec(page)?.[1])).toBe(name);
        expect(readBack(/<textarea[^>]*>\n([^<]*)<\/textarea>/.exec(page)?.[1])).toBe(message);
      }),
    );
  });

  it('Each message is connected to its field and linked', () => {
    const page = formPage(COMPANY, FORMS.contact, refusal, {});
    expect(page).toMatch(/<input id="email"[^>]* aria-invalid="true" aria-describedby="email-error"/);
    expect(page).toContain('<p class="text-sm font-medium text-error" id="email-error">Invalid email address</p>');
    expect(page).toContain('href="#email">Email: Invalid email address</a>');
    expect(page.match(/aria-invalid/g)).toHaveLength(1);
  });

  it('The page has a new key each time', () => {
    const keyOf = (page: string) => /name="idempotencyKey" value="([0-9a-f-]{36})"/.exec(page)?.[1];
    const [one, other] = [
      keyOf(formPage(COMPANY, FORMS.contact, refusal, {})),
      keyOf(formPage(COMPANY, FORMS.contact, refusal, {})),
    ];
    expect(one).toBeDefined();
    expect(one).not.toBe(other);
  });

  it('The page has the honeypot, hidden from people', () => {
    expect(formPage(COMPANY, FORMS.application, refusal, {})).toMatch(
      /<div class="sr-only" aria-hidden="true">.*<input name="topicNote" [^>]*tabindex="-1" autocomplete="off"><\/div>/,
    );
  });

  it('The page says that the file has to be chosen again', () => {
    const page = formPage(
      COMPANY,
      FORMS.application,
      new HttpError('invalid', 'x', { errors: { fullName: ['Required'] } }),
      null,
    );
    expect(page).toContain('enctype="multipart/form-data"');
    expect(page).toContain('Please choose the file again');
    expect(page).toMatch(/<input id="resume"[^>]* aria-describedby="resume-hint" type="file"/);
  });

  it('The page shows nothing of a body that is not fields', () => {
    expect(
      formPage(COMPANY, FORMS.contact, refusal, { name: { toString: 'x' }, __proto__: { email: 'inherited' } }),
    ).not.toContain('inherited');
  });
});

/** A text as a browser reads it out of the page's source. */
function readBack(source = ''): string {
  return source.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}

describe('Any plain page', () => {
  it('The page has the company’s own name, and the language of the site', () => {
    for (const page of [
      formPage(COMPANY, FORMS.contact, refusal, {}),
      sentPage(COMPANY, FORMS.contact, 'KW-3F9K-Q7TM-X2VD-8HNC'),
      errorPage(COMPANY, undefined, new HttpError('rate-limited', 'Too many requests.')),
    ]) {
      expect(page).toMatch(/^<!doctype html>\n<html lang="en-GB">/);
      expect(page).toMatch(/<title>[^<]* \| Müller &#38; Söhne<\/title>/);
      expect(page).toMatch(/ href="\/">Müller &#38; Söhne<\/a><\/header>/);
      expect(page).not.toContain('Kitewright');
    }
  });
});

describe('The other plain pages', () => {
  it('The page of an accepted submission shows the reference and the way back', () => {
    const page = sentPage(COMPANY, FORMS.application, 'KW-3F9K-Q7TM-X2VD-8HNC');
    expect(page).toContain('>Application submitted successfully!</h1>');
    expect(page).toContain('KW-3F9K-Q7TM-X2VD-8HNC');
    expect(page).toContain('href="/careers"');
  });

  it('The error page shows what went wrong', () => {
    expect(errorPage(COMPANY, FORMS.contact, new HttpError('rate-limited', 'Too many requests.'))).toContain(
      'Too many requests',
    );
    expect(errorPage(COMPANY, undefined, toHttpError(new Error('secret')))).not.toContain('secret');
  });
});
