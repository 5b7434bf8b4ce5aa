import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeTemporaryFolder } from '../../../test-support/temporary-folder.ts';
import { readCompleteWords, readWords, replacedWords, WORDS_NAME, wordsOf } from './words.ts';

let folder: string;
beforeEach(() => {
  folder = makeTemporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, content: string) => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return pathToFileURL(file);
};

it.each([
  ['a missing file', undefined, 'ENOENT'],
  ['an empty file', '', 'forms is missing$'],
  ['a list', '- forms', 'forms is missing$'],
  ['no forms', 'frame: {}', 'forms is missing$'],
  ['a text as forms', 'forms: hello', 'forms is missing$'],
  ['a text as the words of a form', 'forms:\n  contact: hello', 'forms.contact is'],
  ['malformed YAML', 'forms:\n  all: {a: b\n', '.* at line 3, column 1$'],
])('readWords > names the file and its mistake in one line > %s', (_what, content, message) => {
  const file = join(folder, 'wording.yaml');
  if (content !== undefined) writeFileSync(file, content);
  expect(() => readWords(pathToFileURL(file))).toThrow(
    expect.objectContaining({ message: expect.stringMatching(new RegExp(`^${WORDS_NAME}: ${message}`)) }),
  );
});

it('wordsOf > says that all words of a form are missing', () => {
  expect(() => wordsOf('none')).toThrow(`${WORDS_NAME}: forms.none is missing`);
});

describe('readCompleteWords', () => {
  const BUILT = `forms:
  all: { required: Required, close: Close }
  contact:
    title: Write to us
    another: Write another one
    next: [{ when: Today, what: We read it. }]
    fields: { email: { label: Email, hint: We answer there }, phone: { label: Phone } }`;
  const OWN = `forms:
  all: { required: Pflichtfeld, close: Zu }
  contact:
    title: Schreiben Sie uns
    next: [{ when: Heute, what: Wir lesen es. }]
    fields: { email: { label: E-Mail }, phone: { label: Telefon } }`;

  /** Reads a file next to that of the build. */
  const read = (own: string) => {
    replacedWords.length = 0;
    const words = readCompleteWords(write('wording.yaml', own), write('built.yaml', BUILT));
    return { words: words as unknown, replaced: [...replacedWords] };
  };

  it('takes nothing from the build > only optional words are missing', () => {
    expect(read(OWN)).toEqual({ words: readWords(write('wording.yaml', OWN)), replaced: [] });
  });

  it.each([
    [
      'a list as the fields',
      'fields: { email: { label: E-Mail }, phone: { label: Telefon } }',
      'fields: [E-Mail]',
      'fields',
    ],
    ['a list as a field', '{ label: Telefon }', '[Telefon]', 'fields.phone'],
    ['a block as a hint', 'label: E-Mail', 'label: E-Mail, hint: { a: b }', 'fields.email.hint'],
    ['a text as a list', '[{ when: Heute, what: Wir lesen es. }]', 'Heute', 'next'],
    ['a block as a list', '[{ when: Heute, what: Wir lesen es. }]', '{ when: Heute }', 'next'],
    ['a place that a shared word has not', 'close: Zu', "close: 'Zu {name}'", 'close'],
    ['a list as an optional word', 'title:', 'another: [x]\n    title:', 'another'],
  ])('takes a word of the build > %s', (_what, words, wrong, path) => {
    expect(OWN).toContain(words);
    expect(read(OWN.replace(words, wrong)).replaced).toEqual([
      expect.stringMatching(`^forms\\.(?:contact|all)\\.${path}$`),
    ]);
  });

  it.each([
    ['a shared word', ', close: Zu', '', 'forms.all.close', { all: { close: 'Close' } }],
    ['a word of a form', 'title: Schreiben Sie uns', '', 'forms.contact.title', { contact: { title: 'Write to us' } }],
    ['an empty word', 'Schreiben Sie uns', '', 'forms.contact.title', { contact: { title: 'Write to us' } }],
    [
      'a label',
      'label: E-Mail',
      '',
      'forms.contact.fields.email.label',
      { contact: { fields: { email: { label: 'Email' } } } },
    ],
    [
      'a field',
      ', phone: { label: Telefon }',
      '',
      'forms.contact.fields.phone',
      { contact: { fields: { phone: { label: 'Phone' } } } },
    ],
    [
      'a block in place of a word',
      'required: Pflichtfeld',
      'required: { a: b }',
      'forms.all.required',
      { all: { required: 'Required' } },
    ],
    [
      'a word in place of a block',
      'fields: {',
      'fields: none\n    former: {',
      'forms.contact.fields',
      { contact: { fields: { email: { label: 'Email' } } } },
    ],
    [
      'all words of a form',
      /contact:[^]*/,
      '',
      'forms.contact',
      { contact: { title: 'Write to us', another: 'Write another one' } },
    ],
  ])('takes a word from the build and names it > %s', (_what, old, text, path, expected) => {
    const { words, replaced } = read(OWN.replace(old, text));
    expect(words).toMatchObject(expected);
    expect(replaced).toEqual([path]);
  });

  it('fills in the figures of the company.yaml next to the file', () => {
    write('company.yaml', 'name: Firma\nfigures:\n  response: einem Tag\n');
    const own = OWN.replace('Heute', "'Binnen {figures.response}'").replace('Zu }', "'{figures.response} zu' }");
    expect(read(own)).toMatchObject({
      words: { all: { close: 'einem Tag zu' }, contact: { next: [{ when: 'Binnen einem Tag' }] } },
      replaced: [],
    });
  });

  it.each([
    ['no such figure', 'figures:\n  other: x\n'],
    ['no figures', 'name: Firma\n'],
    ['no company.yaml', undefined],
  ])('takes a word of the build that names a figure > %s', (_what, company) => {
    if (company) write('company.yaml', company);
    const { words, replaced } = read(OWN.replace('Schreiben Sie uns', "'Antwort in {figures.response}'"));
    expect(words).toHaveProperty('contact.title', 'Write to us');
    expect(replaced).toEqual(['forms.contact.title']);
  });

  it.each([
    ['no text', ''],
    ['a text', 'Heute'],
    ['an item with a colon', '[Heute: Wir lesen es.]'],
    ['an item without a part', '[{ when: Heute }]'],
    ['an empty item', "['']"],
  ])('leaves an optional list out > %s', (_what, next) => {
    const { words } = read(OWN.replace('[{ when: Heute, what: Wir lesen es. }]', next));
    expect(words).not.toHaveProperty('contact.next');
    expect(words).toHaveProperty('contact.title', 'Schreiben Sie uns');
  });

  it('takes all words from the build and names the mistake > no readable file', () => {
    expect(read('forms:\n  all: {a: b\n')).toEqual({
      words: readWords(write('built.yaml', BUILT)),
      replaced: [expect.stringMatching(new RegExp(`^${WORDS_NAME}: .* at line 3, column 1$`))],
    });
    replacedWords.length = 0;
    const none = pathToFileURL(join(folder, 'none.yaml'));
    expect(readCompleteWords(none, write('built.yaml', BUILT))).toHaveProperty('contact.title', 'Write to us');
    expect(replacedWords).toEqual([expect.stringContaining('wording.yaml: ENOENT')]);
    expect(() => readCompleteWords(none, none)).toThrow('ENOENT');
  });
});
