/** @jest-environment ./test/browser-environment.js */
import { beforeEach, expect, jest, test } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server.node';
import { ApplicationForm } from './application/application-form.tsx';
import { ContactForm } from './contact/contact-form.tsx';
import { Island, type IslandProps } from './island.tsx';
import { hydrate } from './islands.ts';

const ENQUIRY = { 'Name *': 'Ada', 'Service *': 'Web Development', 'Message *': 'Hello from before.' };
const APPLICATION = { 'Full Name *': 'Ada', 'Years of Experience': '2', 'Cover Letter / Message': 'Hello.' };

const control = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const shown = (fields: object) => Object.fromEntries(Object.keys(fields).map((label) => [label, control(label).value]));

/** Shows a form's prerendered HTML, and lets a visitor type into it. */
function typeBeforeScript(name: IslandProps['name'], fields: Readonly<Record<string, string>>) {
  const form = name === 'contact' ? <ContactForm /> : <ApplicationForm />;
  document.body.innerHTML = renderToString(<Island name={name}>{form}</Island>);
  for (const [label, value] of Object.entries(fields)) control(label).value = value;
}

const bringReact = () => act(async () => hydrate(document.querySelector('[data-island]') as HTMLElement));

let complaint: jest.SpiedFunction<typeof console.error>;
beforeEach(() => {
  complaint = jest.spyOn(console, 'error').mockImplementation(() => undefined);
});

test('what was typed into the contact form before React came stays', async () => {
  typeBeforeScript('contact', ENQUIRY);
  await bringReact();
  expect(shown(ENQUIRY)).toEqual(ENQUIRY);
  expect(complaint).not.toHaveBeenCalled();
});

test('what was typed into the application form before React came stays', async () => {
  typeBeforeScript('application', APPLICATION);
  await bringReact();
  expect(shown(APPLICATION)).toEqual(APPLICATION);
  expect(complaint).not.toHaveBeenCalled();
});

test('the age of a form that the visitor was in before React came is asked for', async () => {
  const fetched = jest.fn<typeof fetch>().mockResolvedValue(Response.json({}));
  globalThis.fetch = fetched;
  typeBeforeScript('contact', ENQUIRY);
  control('Message *').focus();
  await bringReact();
  expect(fetched).toHaveBeenCalledTimes(1);
});

test('a translated form is taken over as it is', async () => {
  typeBeforeScript('contact', ENQUIRY);
  const label = document.querySelector('label');
  label?.replaceChildren(Object.assign(document.createElement('font'), { textContent: 'Nom *' }));
  await bringReact();
  expect(label?.isConnected).toBe(true);
  expect(label?.innerHTML).toBe('<font>Nom *</font>');
  expect(control('Message *').value).toBe(ENQUIRY['Message *']);
  expect(complaint).not.toHaveBeenCalled();
});

test('a form that an extension put an element into is drawn anew, with all that the visitor did and a translator wrote', async () => {
  typeBeforeScript('contact', ENQUIRY);
  control('Name *').after(document.createElement('div'));
  document.querySelector('option')?.replaceChildren('Choisir');
  control('Message *').focus();
  control('Message *').setSelectionRange(2, 5);
  const old = control('Message *');
  await bringReact();
  expect(old.isConnected).toBe(false);
  expect(shown(ENQUIRY)).toEqual(ENQUIRY);
  expect(document.querySelector('option')?.textContent).toBe('Choisir');
  expect(document.activeElement).toBe(control('Message *'));
  expect([control('Message *').selectionStart, control('Message *').selectionEnd]).toEqual([2, 5]);
});
