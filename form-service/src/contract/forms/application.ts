import { defineForm } from '../define-form.ts';
import { wordsOf } from '../words.ts';

/** An application for a position, with a résumé. */
export const application = defineForm(
  {
    kind: 'application',
    path: '/api/resume',
    page: '/careers',
    place: 'dialog',
    mailbox: 'HR_INBOX',
    fields: [
      { name: 'fullName', input: 'text', role: 'sender', isRequired: true, autoComplete: 'name' },
      { name: 'email', input: 'email', role: 'email', isRequired: true, autoComplete: 'email' },
      { name: 'phone', input: 'tel', role: 'phone', autoComplete: 'tel' },
      { name: 'position', input: 'text', role: 'topic' },
      { name: 'experience', input: 'text' },
      { name: 'resume', input: 'file', isRequired: true },
      { name: 'coverLetter', input: 'textarea', role: 'body', rows: 4 },
    ],
  },
  wordsOf('application'),
);
