import { expect, it, jest } from '@jest/globals';
import { survey } from '../../test/survey.ts';
import { application } from '../contract/forms/application.ts';
import { contact } from '../contract/forms/contact.ts';

jest.unstable_mockModule('../contract/form-list.ts', () => ({ FORMS: [contact, application, survey] }));
const { scopeOf } = await import('./search.ts');

const settings = { SALES_INBOX: 'sales@firm.net', HR_INBOX: 'hr@firm.net' };

it('scopeOf > keeps the mailbox of sales > another form has none of its own', () => {
  expect(scopeOf({ role: 'sales' }, settings)).toEqual({ forms: ['contact'], mailboxes: ['sales@firm.net'] });
  expect(scopeOf({ role: 'survey' }, settings)).toEqual({ forms: ['survey'], mailboxes: [] });
});

it('scopeOf > gives a form its own mailbox', () => {
  const RECIPIENTS = new Map([['survey', 'survey@firm.net']]);
  expect(scopeOf({ role: 'survey' }, { ...settings, RECIPIENTS }).mailboxes).toEqual(['survey@firm.net']);
  expect(scopeOf({ role: 'sales' }, { ...settings, RECIPIENTS }).mailboxes).toEqual(['sales@firm.net']);
});
