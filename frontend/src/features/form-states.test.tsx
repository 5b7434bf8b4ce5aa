import { expect, test } from '@jest/globals';
import { renderForms } from './form-states.tsx';

test('forms > give the build the icons of every state', () => {
  expect(renderForms().icons.toSorted()).toEqual(['chevron-down', 'file-text', 'upload', 'x']);
});

test('forms > render every state, a chosen file and a toast', () => {
  const { contact, application } = renderForms().html;
  for (const html of [contact, application])
    for (const part of ['class="notice notice-error"', 'text-error', '-left"', 'aria-disabled'])
      expect(html).toContain(part);
  expect(contact).toContain('data-sent');
  expect(application).toContain('class="notice"');
  expect(application).toMatch(/<progress.*<b data-file/s);
  expect(contact).toMatch(/animate-progress bg-success.*animate-progress bg-error/s);
});
