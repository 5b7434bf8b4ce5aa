import { describe, expect, it } from '@jest/globals';
import { contactSubmission } from '../../test/submissions.ts';
import { excerptOf, labelOf, whyHeldBack } from './labels.ts';

describe('excerptOf', () => {
  const beginning = (message: string) => excerptOf(contactSubmission({ message }));

  it('returns a short text in one line', () => {
    expect(beginning('Hello,\r\n\r\nwe need\ta shop.')).toBe('Hello, we need a shop.');
  });

  it('cuts a long text after a word and adds an ellipsis', () => {
    const text = beginning(`${'word '.repeat(39)}https://spam.example/path`);
    expect(text).toBe(`${'word '.repeat(39).trim()}…`);
  });

  it('cuts between characters > the text has no spaces', () => {
    expect(beginning('あ'.repeat(300))).toBe(`${'あ'.repeat(200)}…`);
    expect(beginning(`${' '.repeat(398)}x😀`)).toBe('x');
    expect(beginning('x' + '😀'.repeat(300))).toBe(`x${'😀'.repeat(99)}…`);
  });
});

describe('whyHeldBack', () => {
  it('returns all reasons in a sentence', () => {
    expect(whyHeldBack(['links', { kind: 'virus', name: 'Eicar' }])).toBe(
      'We held this back because it has links and the virus scanner found Eicar in the file.',
    );
  });

  it('returns a reason unchanged > another version stored it', () => {
    expect(whyHeldBack(['toString'])).toBe('We held this back because toString.');
    expect(whyHeldBack([])).toBe('');
  });
});

it('labelOf > says that a stored value is no longer asked > of an unknown field or form', () => {
  expect(labelOf('contact', 'email')).toBe('Email');
  expect(labelOf('contact', 'budget')).toBe('budget (no longer asked)');
  expect(labelOf('gone', 'email')).toBe('email (no longer asked)');
});
