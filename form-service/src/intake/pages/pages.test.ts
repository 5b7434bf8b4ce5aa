import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { application } from '../../contract/forms/application.ts';
import { contact } from '../../contract/forms/contact.ts';
import { LOCALE } from '../../contract/locale.ts';
import { labelOf } from '../../submissions/labels.ts';
import { HttpError, toHttpError } from '../../http/http-error.ts';
import { OPINION, survey } from '../../../test/survey.ts';
import { errorPage, formPage, sentPage } from './pages.ts';
import { words } from '../../../test/words.ts';

const COMPANY = 'Müller & Söhne';

const refusal = new HttpError('invalid', 'Please check the form.', { errors: { email: ['Not an address'] } });

const controlsOf = (page: string) =>
  Array.from(page.matchAll(/<(?:input|select|textarea) id="([^"]+)"/g), ([, id]) => id);

describe('formPage', () => {
  it.each([contact, application])('has every field of the contract, in order and labelled > $path', (form) => {
    const page = formPage(COMPANY, form, refusal, {});
    expect(controlsOf(page)).toEqual(form.fields.map(({ name }) => name));
    for (const { name } of form.fields) expect(page).toContain(`<label for="${name}">`);
  });

  it('keeps any text as it was typed and adds no markup', () => {
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
    const ordinary = tagsOf(formPage(COMPANY, contact, refusal, {}));
    fc.assert(
      fc.property(text, text, (name, message) => {
        const page = formPage(COMPANY, contact, refusal, { name, message });
        expect(tagsOf(page)).toEqual(ordinary);
        expect(readBack(/<input id="name"[^>]* value="([^"]*)"/.exec(page)?.[1])).toBe(name);
        expect(readBack(/<textarea[^>]*>\n([^<]*)<\/textarea>/.exec(page)?.[1])).toBe(message);
      }),
    );
  });

  it('connects all messages of a field to it, and links the first one', () => {
    const twice = new HttpError('invalid', 'x', { errors: { email: ['Too short', 'Not an address'] } });
    const page = formPage(COMPANY, contact, twice, {});
    expect(page).toMatch(/<input id="email"[^>]* aria-invalid="true" aria-describedby="email-error"/);
    expect(page).toContain('id="email-error">Too short Not an address</p>');
    expect(page).toContain(`href="#email">${labelOf('contact', 'email')}: Too short</a>`);
    expect(page.match(/aria-invalid/g)).toHaveLength(1);
  });

  it('has a new idempotency key each time', () => {
    const keys = [1, 2].map(
      () => /name="idempotencyKey" value="([0-9a-f-]{36})"/.exec(formPage(COMPANY, contact, refusal, {}))?.[1],
    );
    expect([keys[0], keys[0] === keys[1]]).toEqual([expect.any(String), false]);
  });

  it('has the honeypot, hidden from people', () => {
    expect(formPage(COMPANY, application, refusal, {})).toMatch(
      /<div class="sr-only" aria-hidden="true">.*<input name="topicNote" [^>]*tabindex="-1" autocomplete="off"><\/div>/,
    );
  });

  it('asks to choose the file again', () => {
    const page = formPage(
      COMPANY,
      application,
      new HttpError('invalid', 'x', { errors: { fullName: ['Required'] } }),
      null,
    );
    expect(page).toContain('enctype="multipart/form-data"');
    expect(page).toContain(words.plainPages.chooseFileAgain);
    expect(page).toMatch(/<input id="resume"[^>]* aria-describedby="resume-hint" type="file"/);
  });

  it('ignores values of a body that are not own strings', () => {
    expect(
      formPage(COMPANY, contact, refusal, { name: { toString: 'x' }, __proto__: { email: 'inherited' } }),
    ).not.toContain('inherited');
  });
});

describe('formPage > a form with every control', () => {
  const errors = { size: ['Size is missing'], consent: ['Please tick this box'] };
  const page = formPage(COMPANY, survey, new HttpError('invalid', words.errors.checkForm, { errors }), OPINION);

  it('has every field in order, with a label or a legend', () => {
    const ids = survey.fields.flatMap(({ name, input }) => (input === 'radio' ? [name, `${name}-1`] : [name]));
    expect(controlsOf(page)).toEqual(ids);
    expect(page).toContain('<legend>Size *</legend>');
    expect(
      page.match(/<label[^>]*><input [^>]*> [^<]+<\/label>/g)?.map((label) => label.replace(/<[^>]+>/g, '')),
    ).toEqual([' Small', ' Large', ' You may answer me *', ' Send me news']);
  });

  it('keeps what was chosen', () => {
    const checked = Array.from(page.matchAll(/<input [^>]*value="([^"]*)" checked/g), ([, value]) => value);
    expect(checked).toEqual(['Large', 'yes']);
    expect(page).toContain('<option selected>Price</option>');
    expect(page).toMatch(/<input id="start"[^>]* type="date" min="2026-01-01" max="2026-12-31" value="2026-03-31">/);
    expect(page).toMatch(/<input id="seats"[^>]* type="number" min="1" max="500" value="12">/);
    expect(page).toMatch(/<input id="hours"[^>]* type="number" min="0.05" step="0.1" value="0.35">/);
  });

  it('connects hint and error to the group and to the box, and links both', () => {
    expect(page).toContain(
      '<fieldset role="radiogroup" aria-required="true" aria-invalid="true" aria-describedby="size-error size-hint">',
    );
    expect(page).toMatch(/<input id="consent"[^>]* required aria-invalid="true" aria-describedby="consent-error">/);
    expect(page).toContain('href="#size">Size: Size is missing</a>');
    expect(page).toContain('href="#consent">You may answer me: Please tick this box</a>');
  });
});

/** Decodes a text as a browser does. */
function readBack(source = ''): string {
  return source.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}

describe('plain pages', () => {
  it('have the configured company name and the language of the site', () => {
    for (const page of [
      formPage(COMPANY, contact, refusal, {}),
      sentPage(COMPANY, contact, 'KW-3F9K-Q7TM-X2VD-8HNC'),
      errorPage(COMPANY, undefined, new HttpError('rate-limited', 'Too many requests.')),
    ]) {
      expect(page).toMatch(new RegExp(`^<!doctype html>\\n<html lang="${LOCALE}">`));
      expect(page).toMatch(/<title>[^<]* \| Müller &#38; Söhne<\/title>/);
      expect(page).toMatch(/ href="\/"><img [^>]*src="\/mark.svg" alt=""[^>]*>Müller &#38; Söhne<\/a>/);
      expect(page).not.toContain('Kitewright');
    }
  });

  it('show the reference of an accepted submission and the way back', () => {
    const page = sentPage(COMPANY, application, 'KW-3F9K-Q7TM-X2VD-8HNC');
    expect(page).toContain(`>${application.words.sent}</h1>`);
    expect(page).toContain('KW-3F9K-Q7TM-X2VD-8HNC');
    expect(page).toContain('href="/careers"');
  });

  it('list the next steps after an enquiry, and have no list after an application', () => {
    const page = sentPage(COMPANY, contact, 'KW-3F9K-Q7TM-X2VD-8HNC');
    for (const { when } of contact.words.next ?? []) expect(page).toContain(`<li><b>${when}</b>`);
    expect(sentPage(COMPANY, application, 'KW-3F9K-Q7TM-X2VD-8HNC')).not.toContain('<ol');
  });

  it('show the message of an error, and not its cause', () => {
    expect(errorPage(COMPANY, contact, new HttpError('rate-limited', 'Too many requests.'))).toContain(
      'Too many requests',
    );
    expect(errorPage(COMPANY, undefined, toHttpError(new Error('secret')))).not.toContain('secret');
  });
});
