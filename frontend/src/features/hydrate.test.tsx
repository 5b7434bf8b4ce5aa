/** @jest-environment ./test/browser-environment.js */
import { beforeEach, expect, jest, test } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server.node';
import { OPINION, survey } from '../../../form-service/test/survey.ts';
import { hydrator } from './hydrate.ts';
import { Island } from './island.tsx';
import { SectionForm } from './section-form.tsx';

// Texts, files, focus and translated words of the site's forms are tested in a browser (e2e/islands.spec.ts).
const control = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

/** Shows the prerendered HTML of a form, and types into it. */
function typeBeforeHydration(fields: Readonly<Record<string, string>>) {
  document.body.innerHTML = renderToString(<Island form={survey} />);
  for (const [field, value] of Object.entries(fields)) control(field).value = value;
}

const hydrate = () =>
  act(async () => hydrator(SectionForm, survey)(document.querySelector('[data-island]') as HTMLElement));

let complaint: jest.SpiedFunction<typeof console.error>;
beforeEach(() => {
  complaint = jest.spyOn(console, 'error').mockImplementation(() => undefined);
});

test('a form > requests its token > if it had the focus before hydration', async () => {
  const fetched = jest.fn<typeof fetch>().mockResolvedValue(Response.json({}));
  globalThis.fetch = fetched;
  typeBeforeHydration({});
  control('Seats').focus();
  await hydrate();
  expect(fetched).toHaveBeenCalledTimes(1);
});

test.each([
  ['kept', false],
  ['drawn again', true],
])('a form with every control > keeps what was entered before hydration > %s', async (_how, isDrawnAgain) => {
  typeBeforeHydration({ 'Email *': OPINION.email, Seats: OPINION.seats, 'Start *': OPINION.start });
  for (const label of ['Large', 'You may answer me *']) control(label).checked = true;
  control('Large').focus();
  const old = control('Large');
  if (isDrawnAgain) control('Seats').after(document.createElement('div'));
  await hydrate();
  expect(old.isConnected).toBe(!isDrawnAgain);
  if (!isDrawnAgain) expect(complaint).not.toHaveBeenCalled();
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
