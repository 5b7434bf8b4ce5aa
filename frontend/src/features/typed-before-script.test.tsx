/** @jest-environment ./test/browser-environment.js */
import { expect, jest, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { ApplicationForm } from './application/application-form.tsx';
import { ContactForm } from './contact/contact-form.tsx';

/** Shows a form's HTML, lets a visitor type into it, and then brings React. */
async function typeBeforeScript(form: ReactElement, fields: Readonly<Record<string, string>>) {
  const prerendered = render(form);
  const container = document.createElement('div');
  container.innerHTML = prerendered.container.innerHTML;
  prerendered.unmount();
  document.body.append(container);
  for (const [label, value] of Object.entries(fields)) screen.getByLabelText<HTMLInputElement>(label).value = value;
  const complaint = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  await act(async () => void render(form, { container, hydrate: true }));
  return complaint;
}

const shown = (fields: object) => Object.fromEntries(Object.keys(fields).map((label) => [label, screen.getByLabelText<HTMLInputElement>(label).value]));

test('the contact form keeps it', async () => {
  const typed = { 'Name *': 'Ada', 'Service *': 'Web Development', 'Message *': 'Hello from before.' };
  const complaint = await typeBeforeScript(<ContactForm />, typed);
  expect(shown(typed)).toEqual(typed);
  expect(complaint).not.toHaveBeenCalled();
});

test('the application form keeps it', async () => {
  const typed = { 'Full Name *': 'Ada', 'Years of Experience': '2', 'Cover Letter / Message': 'Hello.' };
  await typeBeforeScript(<ApplicationForm />, typed);
  expect(shown(typed)).toEqual(typed);
});
