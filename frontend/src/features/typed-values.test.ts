/** @jest-environment jsdom */
import { describe, expect, test } from '@jest/globals';
import { typedValues } from './typed-values.ts';

const formOf = (html: string) => {
  document.body.innerHTML = `<form>${html}</form>`;
  return document.querySelector('form') as HTMLFormElement;
};

describe('what was typed before React came', () => {
  test('is what the controls hold where the state is empty', () => {
    const form = formOf(
      '<input name="name" value="Ada"><input name="email" value="new@example.org"><input name="phone"><input name="other" value="x">',
    );
    expect(typedValues(form, { name: '', email: 'old@example.org', phone: '' })).toEqual({ name: 'Ada' });
  });

  test('leaves out a file control without a choice', () => {
    const form = formOf(
      '<input name="resume" type="file"><select name="service"><option value="">-</option><option selected>Web</option></select>',
    );
    expect(typedValues(form, { resume: '', service: '' })).toEqual({ service: 'Web' });
  });
});
