import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeTemporaryFolder } from '../../../test-support/temporary-folder.ts';
import { wordingKeys } from '../../../scripts/write-wording-keys.ts';
import { makeWords } from './messages.ts';
import { templateText, words } from './service-words.ts';
import { ContentError, partsOf } from './word-mistakes.ts';
import KEYS from './wording-keys.json' with { type: 'json' };
import { readWords, replacedWords, WORDS_FILE, WORDS_NAME, wordsOf, type Texts } from './words.ts';

const ENGLISH = readFileSync(WORDS_FILE, 'utf8');

let folder: string;
beforeEach(() => {
  folder = makeTemporaryFolder();
  replacedWords.length = 0;
  write('company.yaml', 'figures:\n  response: 24 hours\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

const urlOf = (name: string) => pathToFileURL(join(folder, name));
const write = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return urlOf(name);
};

/** Replaces a part of the English words, which must be there, and returns the line where the part was. */
function change(old: string, text: string): number {
  expect(ENGLISH).toContain(old);
  write('wording.yaml', ENGLISH.replace(old, text));
  return ENGLISH.slice(0, ENGLISH.indexOf(old)).split('\n').length;
}
const NO_BUILD = pathToFileURL('/nowhere/wording.yaml');
const readOwn = () => readWords(urlOf('wording.yaml'), NO_BUILD);
const readWithBuild = () => readWords(urlOf('wording.yaml'), write('built.yaml', ENGLISH));

function mistakesOf(read: () => Texts): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ContentError);
    return (error as Error).message.split('\n');
  }
}

it('wording-keys.json > has the keys and places of the English words', () => {
  expect(wordingKeys()).toBe(readFileSync(new URL('wording-keys.json', import.meta.url), 'utf8'));
});

/** Each mistake: what the file has, what it has in its place, the path and the message. */
const MISTAKES: readonly (readonly [what: string, old: string, text: string, message: string])[] = [
  ['a missing text', '  noBody: The request has no body.\n', '', 'errors.noBody is missing'],
  ['an empty text', 'noBody: The request has no body.', "noBody: ''", 'errors.noBody is missing'],
  ['a missing group', '  history:\n', '  story:\n', 'submissions.history is missing'],
  ['an unknown text', '  noBody: The', '  nobody: The', 'errors.nobody is no word here'],
  ['a list as a text', 'noBody: The request has no body.', 'noBody: [No, body]', 'errors.noBody must be text'],
  ['a text as a group', 'submission:\n    new:', 'submission: New\n  other:\n    new:', 'mails.submission must hold'],
  ['an unknown place', 'from: from {name}', 'from: from {nmae}', 'mails.submission.from has {nmae}, which is no'],
  ['a missing place', 'from: from {name}', 'from: from him', 'mails.submission.from needs {name}'],
  ['two braces', 'from: from {name}', "from: '{{name}}'", 'mails.submission.from has {{: a place has one brace'],
  ['half a place', 'from: from {name}', 'from: from {name} {', 'mails.submission.from has {, which is no fact'],
  ['a fact', 'noBody: The', "noBody: '{company.name}'\n  #", 'errors.noBody has {company.name}, which is no fact'],
  ['an unknown figure', 'within {figures.response}.', 'in {figures.time}.', 'forms.contact.sentDetail has {figures'],
  ['no general plural', "other: '{count} reminders'", "few: '{count}'", 'mails.digest.reminders.other is missing'],
  ['an unknown plural', "one: '{count} reminder'", "once: '{count}'", 'mails.digest.reminders.once is no plural'],
  [
    'a plural without its place',
    "other: '{count} reminders'",
    'other: x',
    'mails.digest.reminders.other needs {count}',
  ],
  ['plurals without a count', 'from: from {name}', 'from: { other: "{name}" }', 'mails.submission.from must be text'],
  ['a place of a shared word', 'reference is {reference}', 'reference', 'forms.all.reference needs {reference}'],
  ['a missing word of a form', '    nouns: enquiries\n', '', 'forms.contact.nouns is missing'],
  ['an unknown word of a form', '    another: W', '    anoter: x\n    another: W', 'forms.contact.anoter is no word'],
  ['a missing label', 'label: Phone\n', "label: ''\n", 'forms.contact.fields.phone.label is missing'],
  ['a list without an item', 'when: Now', "when: ''", 'forms.contact.next[0].when is missing'],
  ['an item twice', '- SAP Consulting & ABAP', '- Web Development', 'forms.contact.fields.service.options[6] is "Web'],
];

describe('readWords', () => {
  it('accepts the English words, without the site’s', () => {
    expect(readWords(WORDS_FILE, NO_BUILD)).not.toHaveProperty('frame');
  });

  it.each(MISTAKES)(
    'names the mistake, or notes it and takes a word of the build > %s',
    (_what, old, text, message) => {
      const line = change(old, text);
      const found = mistakesOf(readOwn).find((one) => one.includes(`: ${message}`)) ?? '';
      // A missing word has the line of the block around it.
      const place = message.endsWith('is missing') ? String.raw`\d+` : `${line}|${line + 1}`;
      expect(found).toMatch(new RegExp(`^${WORDS_NAME}:(?:${place}): `));
      expect(readWithBuild()).toEqual(readWords(WORDS_FILE, NO_BUILD));
      expect(replacedWords).toContain(found);
    },
  );

  it('leaves an optional word out > the build has one', () => {
    change('    another: Write another\n', '');
    expect(readWithBuild().forms['contact']).not.toHaveProperty('another');
    expect(replacedWords).toEqual([]);
  });

  it('fills in the figures of the company.yaml next to the file', () => {
    write('wording.yaml', ENGLISH);
    write('company.yaml', 'figures:\n  response: einem Tag\n');
    expect(readOwn().forms['contact']).toHaveProperty('sentDetail', "We'll get back to you within einem Tag.");
  });

  it.each<[string, string | undefined, RegExp]>([
    ['a missing file', undefined, /wording\.yaml: ENOENT/],
    ['an empty file', '', /wording\.yaml:1: errors is missing\n/],
    ['malformed YAML', 'forms:\n  all: {a: b\n', /wording\.yaml: .* at line 3, column 1$/],
  ])('takes all words of the build, or names the mistake > %s', (_what, content, message) => {
    if (content !== undefined) write('wording.yaml', content);
    expect(readOwn).toThrow(message);
    expect(readWithBuild()).toEqual(readWords(write('built.yaml', ENGLISH), NO_BUILD));
    expect(`${replacedWords.join('\n')}${content === '' ? '\n' : ''}`).toMatch(message);
  });
});

describe('makeWords', () => {
  const made = makeWords<{ title: ''; 'day {day}': ''; 'left {count} {day}': ''; more: { hint: '' } }>({
    title: 'Left',
    day: 'On {day}',
    left: { one: 'One until {day}', other: '{count} until {day}' },
    more: { hint: 'Look' },
  });

  it('returns texts, and fills in places > by the plural of the count', () => {
    expect([made.title, made.more.hint, made.day({ day: 'Monday' })]).toEqual(['Left', 'Look', 'On Monday']);
    expect(made.left({ count: 1, day: 'Monday' })).toBe('One until Monday');
    expect(made.left({ count: 1234, day: '$&' })).toBe('1,234 until $&');
    expect(made.left({ count: 'more than 10,000', day: 'Monday' })).toBe('more than 10,000 until Monday');
  });

  it('the types refuse > a key or a place that the words have not', () => {
    // @ts-expect-error -- a misspelled key
    expect(words.errors.notFond).toBeUndefined();
    // @ts-expect-error -- a misspelled place
    expect(words.errors.method({ method: 'POST' })).toContain('{methods}');
  });
});

it('templateText > names a key that is missing, or has plural forms', () => {
  for (const key of ['inbox.list.serach', 'mails.digest.older'])
    expect(() => templateText(key)).toThrow(`${WORDS_NAME}: ${key} is missing, or has plural forms`);
});

it('wordsOf > names the form at the first look > the file has no words for it', () => {
  const none = wordsOf('none');
  expect(() => none.title).toThrow(new ContentError(`${WORDS_NAME}: forms.none is missing`));
});

it('every word of the service > is used', () => {
  const cwd = new URL('..', import.meta.url);
  const files = globSync('**/*.{html,txt,ts}', { cwd }).filter((file) => !file.endsWith('.test.ts'));
  const sources = [...files, '../../frontend/builder/nginx-errors.ts']
    .map((file) => readFileSync(new URL(file, cwd), 'utf8'))
    .join('\n');
  const keysIn = (part: object, path: string): readonly string[] =>
    Object.entries(part).flatMap(([key, inner]: [string, '' | object]) =>
      inner === '' ? [path + partsOf(key).name] : keysIn(inner, `${path + key}.`),
    );
  const sections: readonly (keyof Texts)[] = ['errors', 'plainPages', 'mails', 'submissions', 'inbox', 'signIn'];
  const unused = sections
    .flatMap((section) => keysIn(KEYS[section as Exclude<keyof Texts, 'forms'>], `${section}.`))
    // The names of statuses, checks and events are read by their stored keys.
    .filter(
      (key) =>
        !/^submissions\.(?:status|reasons|columns|history)\.|submission\.(?:acknowledgement|webhook)\./.test(key),
    )
    .filter((key) => !sources.includes(`{{wording.${key}}}`) && !sources.includes(`.${key.replace(/.*\./, '')}`));
  expect(unused).toEqual([]);
});
