import { defineForm } from '../src/contract/define-form.ts';

const field = (label: string) => ({ label, missing: `${label} is missing` });

/** A form that is not in the list, with every kind of control that the two forms of the site do not have. */
export const survey = defineForm(
  {
    kind: 'survey',
    path: '/api/survey',
    page: '/survey',
    place: 'section',
    fields: [
      { name: 'email', input: 'email', role: 'email', isRequired: true, autoComplete: 'email' },
      { name: 'subject', input: 'select', role: 'topic', isRequired: true, options: ['Price', 'Quality'] },
      { name: 'size', input: 'radio', isRequired: true, options: ['Small', 'Large'] },
      { name: 'seats', input: 'number', min: 1, max: 500 },
      { name: 'hours', input: 'number', step: 0.1, min: 0.05 },
      { name: 'start', input: 'date', isRequired: true, min: '2026-01-01', max: '2026-12-31' },
      { name: 'opinion', input: 'textarea', role: 'body', rows: 3 },
      { name: 'evidence', input: 'file', saysOptional: true },
      { name: 'consent', input: 'checkbox', isRequired: true },
      { name: 'news', input: 'checkbox' },
    ],
  },
  {
    title: 'Survey',
    submit: 'Send Opinion',
    sending: 'Sending...',
    sent: 'Opinion sent',
    sentDetail: 'Thank you.',
    failed: 'Opinion not sent',
    failedDetail: 'Please try again later.',
    noun: 'opinion',
    nouns: 'opinions',
    topic: 'subject',
    answer: 'Your opinion about {topic}',
    fields: {
      email: field('Email'),
      subject: { ...field('Subject'), choose: 'Select a subject' },
      size: { ...field('Size'), hint: 'Of your team.' },
      seats: field('Seats'),
      hours: field('Hours'),
      start: field('Start'),
      opinion: field('Opinion'),
      evidence: { ...field('Evidence'), hint: 'PDF, DOC, DOCX up to 10MB' },
      consent: field('You may answer me'),
      news: field('Send me news'),
    },
  },
);

/** Values that a visitor enters into the survey. */
export const OPINION = {
  email: 'ada@visitor.example',
  subject: 'Price',
  size: 'Large',
  seats: '12',
  hours: '0.35',
  start: '2026-03-31',
  opinion: 'It is worth it.',
  consent: 'yes',
  news: '',
} as const;
