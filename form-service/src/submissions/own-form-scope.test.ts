import { expect, it, jest } from '@jest/globals';
import { survey } from '../../test/survey.ts';
import { application } from '../contract/forms/application.ts';
import { contact } from '../contract/forms/contact.ts';

const languages = survey.fields.map((field) => (field.role === 'topic' ? { ...field, options: ['C#', 'C++'] } : field));
const course = { ...survey, kind: 'course', fields: languages };
jest.unstable_mockModule('../contract/form-list.ts', () => ({ FORMS: [contact, application, survey, course] }));
const { scopeOf } = await import('./scope.ts');
const { recipientOf } = await import('./recipients.ts');

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

it('scopeOf > keeps options apart > they differ in punctuation only', () => {
  const firm = {
    ...settings,
    RECIPIENTS: new Map([
      ['C#', 'sharp@firm.net'],
      ['C++', 'plus@firm.net'],
    ]),
  };
  for (const [subject, mailbox] of [...firm.RECIPIENTS, ['C', 'sales@firm.net'], ['c++', 'plus@firm.net']] as const) {
    const submission = { form: 'course', fields: { subject }, recipient: null };
    expect([subject, recipientOf(submission, firm)]).toEqual([subject, mailbox]);
  }
  for (const [topic, role] of firm.RECIPIENTS)
    expect(scopeOf({ role }, firm).routes).toEqual([{ form: 'course', topic: topic.toLowerCase() }]);
});
