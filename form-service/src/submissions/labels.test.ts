import { describe, expect, it } from '@jest/globals';
import { listText } from '../html/format.ts';
import { contactSubmission } from '../../test/submissions.ts';
import { contact } from '../contract/forms/contact.ts';
import { words } from '../../test/words.ts';
import { capitalized, excerptOf, inSentence, labelOf, STATUS_LABELS, titleOf, whyHeldBack } from './labels.ts';
import type { Status } from './submission.ts';

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
    expect(whyHeldBack(['many links', 'virus scan: Eicar'])).toBe(
      words.submissions.heldBack({
        reasons: listText([words.submissions.reasons['many links'], words.submissions.virus({ virus: 'Eicar' })]),
      }),
    );
  });

  it('returns a reason unchanged > another version stored it', () => {
    expect(whyHeldBack(['toString'])).toBe(words.submissions.heldBack({ reasons: 'toString' }));
    expect(whyHeldBack([])).toBe('');
  });
});

it.each(Object.entries(words.submissions.status))(
  'inSentence > keeps the capitals of the words > %s',
  (status, text) => {
    expect(inSentence(status as Status)).toBe(text);
    expect(STATUS_LABELS[status as Status]).toBe(capitalized(text));
  },
);

it('titleOf > begins with a capital > the noun is first', () => {
  expect(titleOf('anfrage von Ada', 'anfrage')).toBe('Anfrage von Ada');
  expect(titleOf('iOS Development application', 'application')).toBe('iOS Development application');
});

it('labelOf > says that a stored value is no longer asked > of an unknown field or form', () => {
  expect(labelOf('contact', 'email')).toBe(contact.words.fields['email']?.label);
  expect(labelOf('contact', 'budget')).toBe(words.submissions.noLongerAsked({ label: 'budget' }));
  expect(labelOf('gone', 'email')).toBe(words.submissions.noLongerAsked({ label: 'email' }));
});
