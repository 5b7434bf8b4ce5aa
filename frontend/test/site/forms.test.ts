import { describe, expect, test } from '@jest/globals';
import { FORMS } from 'form-service/contract/forms';
import { messages } from 'form-service/contract/messages';
import { one, pageAt, PAGES, textOf } from './built-site.ts';

/** Returns a form's visible fields in order, without the honeypot. */
const fieldsOf = (form: HTMLFormElement) =>
  [
    ...form.querySelectorAll<HTMLInputElement>(
      ':is(input:not([type=hidden]), select, textarea):not([aria-hidden=true] *)',
    ),
  ].map((control) => ({
    name: control.name,
    isLabelled: textOf(control.closest('label') ?? form.querySelector(`label[for="${control.id}"]`)) !== '',
    isRequired: control.getAttribute('aria-required') === 'true',
  }));

const withForm = (action: string) => PAGES.filter((path) => pageAt(path).querySelector(`form[action="${action}"]`));

const forms = FORMS.map(({ path, fields }) => [path, fields] as const);
const shown = forms.flatMap(([action, fields]) => withForm(action).map((path) => [action, path, fields] as const));

test('all forms > are on a page', () => {
  expect(new Set(shown.map(([action]) => action)).size).toBe(forms.length);
});

describe.each(shown)('the form %s of %s', (action, path, fields) => {
  const form = one<HTMLFormElement>(pageAt(path), `form[action="${action}"]`);

  test('has the fields of the contract in their order, each with a label', () => {
    expect(fieldsOf(form)).toEqual(
      fields.map(({ name, required = false }) => ({ name, isLabelled: true, isRequired: required })),
    );
  });

  test('posts without script, also files', () => {
    expect(form.method).toBe('post');
    expect(one<HTMLButtonElement>(form, '[type=submit]').disabled).toBe(false);
    if (form.querySelector('input[type=file]')) expect(form.enctype).toBe('multipart/form-data');
  });
});

test.each(withForm('/api/resume'))('dialog of %s > has a name, a close button and a link to it', (path) => {
  const dialog = one(pageAt(path), 'dialog');
  expect(textOf(dialog.querySelector('h2'))).not.toBe('');
  expect(dialog.querySelector(`button[aria-label="${messages.close}"]`)).not.toBeNull();
  expect(pageAt(path).querySelector(`main a[href="#${dialog.id}"][aria-haspopup=dialog]`)).not.toBeNull();
});
