/** @jest-environment ./test/browser-environment.js */
import { beforeEach, expect, jest, test } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server.node';
import { SERVICE } from '../../../form-service/test/services.ts';
import { OPINION, survey } from '../../../form-service/test/survey.ts';
import { labelsOf, setFiles } from '../../test/controls.ts';
import { application } from 'form-service/contract/forms/application';
import { contact } from 'form-service/contract/forms/contact';
import { DialogForm } from './dialog-form.tsx';
import { hydrator } from './hydrate.ts';
import { Island } from './island.tsx';
import { SectionForm } from './section-form.tsx';

const ENQUIRY = { name: 'Ada', service: SERVICE, message: 'Hello from before.' };
const APPLICATION = { fullName: 'Ada', experience: '2', coverLetter: 'Hello.' };

const labels = { ...labelsOf(application), ...labelsOf(contact) };
/** Returns the control of a field of the site's forms, or with a label. */
const control = (name: string) => screen.getByLabelText<HTMLInputElement>(labels[name] ?? name);
const shown = (fields: object) => Object.fromEntries(Object.keys(fields).map((name) => [name, control(name).value]));

const FORMS = { contact, application, survey };

/** Shows the prerendered HTML of a form, and types into it. */
function typeBeforeHydration(name: keyof typeof FORMS, fields: Readonly<Record<string, string>>) {
  document.body.innerHTML = renderToString(<Island form={FORMS[name]} />);
  for (const [field, value] of Object.entries(fields)) control(field).value = value;
}

const hydrate = () =>
  act(async () => {
    const island = document.querySelector<HTMLElement>('[data-island]');
    const form = FORMS[island?.dataset.island as keyof typeof FORMS];
    if (island) hydrator(form.place === 'dialog' ? DialogForm : SectionForm, form)(island);
  });

let complaint: jest.SpiedFunction<typeof console.error>;
beforeEach(() => {
  complaint = jest.spyOn(console, 'error').mockImplementation(() => undefined);
});

test('contact form > keeps what was typed before hydration', async () => {
  typeBeforeHydration('contact', ENQUIRY);
  await hydrate();
  expect(shown(ENQUIRY)).toEqual(ENQUIRY);
  expect(complaint).not.toHaveBeenCalled();
});

test('application form > keeps what was typed before hydration', async () => {
  typeBeforeHydration('application', APPLICATION);
  await hydrate();
  expect(shown(APPLICATION)).toEqual(APPLICATION);
  expect(complaint).not.toHaveBeenCalled();
});

test('a form > requests its token > if it had the focus before hydration', async () => {
  const fetched = jest.fn<typeof fetch>().mockResolvedValue(Response.json({}));
  globalThis.fetch = fetched;
  typeBeforeHydration('contact', ENQUIRY);
  control('message').focus();
  await hydrate();
  expect(fetched).toHaveBeenCalledTimes(1);
});

test('a translated form > keeps its words at hydration', async () => {
  typeBeforeHydration('contact', ENQUIRY);
  const label = document.querySelector('label');
  label?.replaceChildren(Object.assign(document.createElement('font'), { textContent: 'Nom *' }));
  await hydrate();
  expect(label?.isConnected).toBe(true);
  expect(label?.innerHTML).toBe('<font>Nom *</font>');
  expect(control('message').value).toBe(ENQUIRY.message);
  expect(complaint).not.toHaveBeenCalled();
});

test('a form with an inserted element > keeps values, selection and translated words', async () => {
  typeBeforeHydration('contact', ENQUIRY);
  control('name').after(document.createElement('div'));
  document.querySelector('option')?.replaceChildren('Choisir');
  control('message').focus();
  control('message').setSelectionRange(2, 5);
  const old = control('message');
  await hydrate();
  expect(old.isConnected).toBe(false);
  expect(shown(ENQUIRY)).toEqual(ENQUIRY);
  expect(document.querySelector('option')?.textContent).toBe('Choisir');
  expect(document.activeElement).toBe(control('message'));
  expect([control('message').selectionStart, control('message').selectionEnd]).toEqual([2, 5]);
});

test('a form with an inserted element > keeps the chosen file', async () => {
  typeBeforeHydration('application', APPLICATION);
  const old = document.querySelector<HTMLInputElement>('[type=file]');
  if (old) setFiles(old, [new File(['%PDF-1.7'], 'ada.pdf')]);
  control('fullName').after(document.createElement('div'));
  await hydrate();
  expect(old?.isConnected).toBe(false);
  expect(document.querySelector<HTMLInputElement>('[type=file]')?.files?.[0]?.name).toBe('ada.pdf');
});

test.each([
  ['kept', false],
  ['drawn again', true],
])('a form with every control > keeps what was entered before hydration > %s', async (_how, isDrawnAgain) => {
  typeBeforeHydration('survey', { 'Email *': OPINION.email, Seats: OPINION.seats, 'Start *': OPINION.start });
  for (const label of ['Large', 'You may answer me *']) control(label).checked = true;
  control('Large').focus();
  const old = control('Large');
  if (isDrawnAgain) control('Seats').after(document.createElement('div'));
  await hydrate();
  expect(old.isConnected).toBe(!isDrawnAgain);
  const chosen = [...document.querySelectorAll<HTMLInputElement>('form :checked:not(option)')];
  expect(chosen.map(({ name, value }) => [name, value])).toEqual([
    ['size', 'Large'],
    ['consent', 'yes'],
  ]);
  expect([...document.querySelectorAll<HTMLInputElement>('[name=size]')].map(({ value }) => value)).toEqual([
    'Small',
    'Large',
  ]);
  expect([control('Seats').value, control('Start *').value]).toEqual([OPINION.seats, OPINION.start]);
  expect(document.activeElement).toBe(control('Large'));
});
