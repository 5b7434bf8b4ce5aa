import { expect, test } from '@jest/globals';
import type { FormWords } from 'form-service/contract/form-words';
import { wordsOf } from 'form-service/contract/words';

/** Texts of the forms that the specification quotes, and that no built page has: errors and results. */
const errorsOf = ({ fields }: FormWords) =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, { missing }]) => (missing ? [[name, missing]] : [])));

test('enquiry form > has the specified words', () => {
  const words = wordsOf('contact');
  expect(words).toMatchObject({
    sending: 'Sending Message...',
    sent: 'Message sent successfully!',
    sentDetail: "We'll get back to you within 24 hours.",
    failed: 'Error sending message',
    failedDetail: 'Please try again later.',
  });
  expect(errorsOf(words)).toEqual({
    name: 'Name must be at least 2 characters',
    email: 'Invalid email address',
    service: 'Please select a service',
    message: 'Message must be at least 10 characters',
  });
  expect(words.fields.email?.invalid).toBe('Invalid email address');
});

test('application form > has the specified words', () => {
  expect(wordsOf('application')).toMatchObject({
    sending: 'Submitting...',
    sent: 'Application submitted successfully!',
    sentDetail: "We'll review your application and get back to you soon.",
    failed: 'Error submitting application',
    failedDetail: 'Please try again or contact us directly at {email}',
  });
  expect(wordsOf('all')).toMatchObject({
    required: 'Required',
    resumeTooLarge: 'File size must be less than 10MB',
    resumeWrongType: 'Please upload a PDF or Word document',
  });
});
