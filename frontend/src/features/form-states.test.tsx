import { expect, test } from '@jest/globals';
import { ICONS_OF_FORMS } from '#builder/icons.ts';
import { requested } from '../../test/mocks/icons.ts';
import { renderForms } from './form-states.tsx';

test('forms > have the icons of every state in the browser', () => {
  requested.clear();
  renderForms();
  expect([...requested].toSorted()).toEqual(ICONS_OF_FORMS);
});

test('forms > render every state, a chosen file and a toast', () => {
  const { contact, application } = renderForms();
  for (const html of [contact, application])
    for (const part of ['class="notice notice-error"', 'text-error', 'aria-disabled']) expect(html).toContain(part);
  expect(contact).toContain('data-sent');
  expect(application).toContain('class="notice"');
  expect(application).toMatch(/<progress.*<b data-file/s);
  expect(contact).toMatch(/animate-progress bg-success.*animate-progress bg-error/s);
});
