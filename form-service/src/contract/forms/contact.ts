import { defineForm } from '../define-form.ts';
import { wordsOf } from '../words.ts';

/** An enquiry about a service. */
export const contact = defineForm(
  {
    kind: 'contact',
    path: '/api/contact',
    page: '/contact',
    place: 'section',
    mailbox: 'SALES_INBOX',
    fields: [
      { name: 'name', input: 'text', role: 'sender', isRequired: true, min: 2, autoComplete: 'name' },
      { name: 'email', input: 'email', role: 'email', isRequired: true, autoComplete: 'email' },
      { name: 'phone', input: 'tel', role: 'phone', saysOptional: true, autoComplete: 'tel' },
      { name: 'service', input: 'select', role: 'topic', isRequired: true, isUnlabelled: true },
      { name: 'message', input: 'textarea', role: 'body', isRequired: true, min: 10, rows: 6 },
    ],
  },
  wordsOf('contact'),
);
