/** @jest-environment ./test/browser-environment.js */
import { beforeEach, expect, jest, test } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import type { ComponentType, ReactElement } from 'react';
import { renderToString } from 'react-dom/server.node';
import { ApplicationForm } from './application/application-form.tsx';
import { ContactForm } from './contact/contact-form.tsx';
import { hydrateIsland } from './hydrate-island.ts';
import { Island } from './island.tsx';

const ENQUIRY = { 'Name *': 'Ada', 'Service *': 'Web Development', 'Message *': 'Hello from before.' };
const APPLICATION = { 'Full Name *': 'Ada', 'Years of Experience': '2', 'Cover Letter / Message': 'Hello.' };

const control = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const shown = (fields: object) => Object.fromEntries(Object.keys(fields).map((label) => [label, control(label).value]));

/** Shows a form's prerendered HTML, and lets a visitor type into it. */
function typeBeforeScript(form: ReactElement, fields: Readonly<Record<string, string>>) {
  document.body.innerHTML = renderToString(<Island entry="island.tsx">{form}</Island>);
  for (const [label, value] of Object.entries(fields)) control(label).value = value;
}

const bringReact = (Form: ComponentType) => act(async () => hydrateIsland(Form));

let complaint: jest.SpiedFunction<typeof console.error>;
beforeEach(() => {
  complaint = jest.spyOn(console, 'error').mockImplementation(() => undefined);
});

test('what was typed into the contact form before React came stays', async () => {
  typeBeforeScript(<ContactForm />, ENQUIRY);
  await bringReact(ContactForm);
  expect(shown(ENQUIRY)).toEqual(ENQUIRY);
  expect(complaint).not.toHaveBeenCalled();
});

test('what was typed into the application form before React came stays', async () => {
  typeBeforeScript(<ApplicationForm />, APPLICATION);
  await bringReact(ApplicationForm);
  expect(shown(APPLICATION)).toEqual(APPLICATION);
  expect(complaint).not.toHaveBeenCalled();
});

test('a translated form is taken over as it is', async () => {
  typeBeforeScript(<ContactForm />, ENQUIRY);
  const label = document.querySelector('label');
  label?.replaceChildren(Object.assign(document.createElement('font'), { textContent: 'Nom *' }));
  await bringReact(ContactForm);
  expect(label?.isConnected).toBe(true);
  expect(label?.innerHTML).toBe('<font>Nom *</font>');
  expect(control('Message *').value).toBe(ENQUIRY['Message *']);
  expect(complaint).not.toHaveBeenCalled();
});

test('a form that an extension put an element into is drawn anew, with all that the visitor did and a translator wrote', async () => {
  typeBeforeScript(<ContactForm />, ENQUIRY);
  control('Name *').after(document.createElement('div'));
  document.querySelector('option')?.replaceChildren('Choisir');
  control('Message *').focus();
  control('Message *').setSelectionRange(2, 5);
  const old = control('Message *');
  await bringReact(ContactForm);
  expect(old.isConnected).toBe(false);
  expect(shown(ENQUIRY)).toEqual(ENQUIRY);
  expect(document.querySelector('option')?.textContent).toBe('Choisir');
  expect(document.activeElement).toBe(control('Message *'));
  expect([control('Message *').selectionStart, control('Message *').selectionEnd]).toEqual([2, 5]);
});
