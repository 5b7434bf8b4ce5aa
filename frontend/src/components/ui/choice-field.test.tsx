/** @jest-environment ./test/browser-environment.js */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { toast } from 'react-toastify/unstyled';
import { OPINION, survey } from '../../../../form-service/test/survey.ts';
import { FakeXhr } from '../../../test/mocks/fake-xhr.ts';
import { SectionForm } from '../../features/section-form.tsx';

const choice = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name });
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });
const submit = () => act(async () => void fireEvent.click(screen.getByRole('button', { name: /Opinion/ })));

/** Enters everything but the choices. */
const fillTexts = () => {
  for (const [label, value] of [
    ['Email *', OPINION.email],
    ['Subject *', OPINION.subject],
    ['Start *', OPINION.start],
  ] as const)
    fireEvent.input(screen.getByLabelText(label), { target: { value } });
};

beforeEach(() => {
  FakeXhr.install();
  globalThis.fetch = jest.fn<typeof fetch>().mockRejectedValue(new TypeError('Failed to fetch'));
  render(<SectionForm form={survey} />);
});
afterEach(() => act(() => toast.dismiss()));

test('number > has the limits and the step of its rule', () => {
  const [seats, hours] = screen.getAllByRole<HTMLInputElement>('spinbutton');
  expect([seats?.min, seats?.max, seats?.step, hours?.step]).toEqual(['1', '500', '', '0.1']);
});

test('the focus > moves to the first mistake > a choice of a group, then a check box', async () => {
  fillTexts();
  await submit();
  expect(document.activeElement).toBe(choice('Small'));
  fireEvent.click(choice('Large'));
  await submit();
  expect(document.activeElement).toBe(box('You may answer me *'));
});

test('choices > are sent, and empty afterwards', async () => {
  fillTexts();
  fireEvent.click(choice('Large'));
  fireEvent.click(box('You may answer me *'));
  await submit();
  const sent = Object.fromEntries(FakeXhr.last.body as FormData);
  expect(sent).toMatchObject({ size: 'Large', consent: 'yes', news: '' });
  const response = { success: true, message: 'Thanks.', reference: 'KW-0000-0000-0000-0000' };
  await act(async () => FakeXhr.last.answer({ status: 202, response }));
  expect([...document.querySelectorAll('form :checked:not(option)')]).toEqual([]);
});

test('the kite > is lifted by texts and select boxes that are required > and by no date', () => {
  const names = [...document.querySelectorAll<HTMLInputElement>('[data-lifts]')].map(({ name }) => name);
  expect(names).toEqual(['email', 'subject']);
});
