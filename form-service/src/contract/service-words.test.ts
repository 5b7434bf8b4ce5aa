import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';
import { makeTemporaryFolder } from '../../../test-support/temporary-folder.ts';
import {
  isPlaces,
  makeWords,
  readSection,
  SERVICE_WORDS,
  serviceWords,
  templateText,
  type Table,
} from './service-words.ts';
import { replacedWords, WORDS_FILE } from './words.ts';

const TABLE = { title: [], day: ['day'], left: ['count', 'day'], more: { hint: [] } } as const;
const TEXTS = {
  title: 'Left',
  day: 'On {day}',
  left: { one: 'One until {day}', other: '{count} until {day}' },
  more: { hint: 'Look' },
};

it('makeWords > returns texts, and fills in places > by the plural of the count', () => {
  const words = makeWords(TABLE, TEXTS, 'inbox');
  expect([words.title, words.more.hint, words.day({ day: 'Monday' })]).toEqual(['Left', 'Look', 'On Monday']);
  expect(words.left({ count: 1, day: 'Monday' })).toBe('One until Monday');
  expect(words.left({ count: 2, day: '$&' })).toBe('2 until $&');
  expect(words.left({ count: 'more than 10,000', day: 'Monday' })).toBe('more than 10,000 until Monday');
});

it.each<[string, object, string]>([
  ['a missing key', { title: undefined }, 'inbox.title is missing'],
  ['a missing group', { more: undefined }, 'inbox.more is missing'],
  ['a missing key of a group', { more: {} }, 'inbox.more.hint is missing'],
  ['an unknown place', { day: 'On {day}, {tiem}' }, 'inbox.day has no value for {tiem}'],
  ['a missing place', { day: 'Today' }, 'inbox.day needs {day}'],
  ['a plural form without a place', { left: { one: 'One', other: '{count}, {day}' } }, 'inbox.left needs {day}'],
  ['two braces', { title: 'Left {{#day}}' }, 'inbox.title has {{: a place has one brace on each side'],
  [
    'plural forms without a count',
    { title: { one: 'One', other: 'Left' } },
    'inbox.title is no text without plural forms',
  ],
  [
    'a block as a plural form',
    { left: { one: { a: 'b' }, other: '{count}, {day}' } },
    'inbox.left has no text for one',
  ],
  ['no general plural form', { left: { one: 'One until {day}' } }, 'inbox.left.other is missing'],
])('makeWords > names the key > %s', (_what, changed, message) => {
  expect(() => makeWords(TABLE, { ...TEXTS, ...changed }, 'inbox')).toThrow(new Error(message));
});

it.each([
  ['an unknown place', 'Von {nome}'],
  ['a missing place', 'Von jemand'],
  ['a place of a template', 'Von {{name}}'],
  ['plural forms without a count', '{ one: "Von {name}", other: "Von {name}" }'],
  ['no text', "''"],
])('readSection > takes a word of the build > %s', (_what, text) => {
  const folder = makeTemporaryFolder();
  const file = pathToFileURL(join(folder, 'wording.yaml'));
  const written = readFileSync(WORDS_FILE, 'utf8').replace(/^( {4}from: ).*$/m, `$1${text}`);
  expect(written).toContain(`    from: ${text}\n`);
  writeFileSync(file, written);
  replacedWords.length = 0;
  expect(readSection('mails', file, WORDS_FILE)).toEqual(readSection('mails', WORDS_FILE, WORDS_FILE));
  expect(replacedWords).toEqual(['mails.submission.from']);
  rmSync(folder, { recursive: true });
});

it('serviceWords > makes the words of a section once', () => {
  expect(serviceWords('submissions')).toBe(serviceWords('submissions'));
});

it('serviceWords > the types refuse > a key or a place that the table has not', () => {
  const words = serviceWords('errors');
  // @ts-expect-error -- a misspelled key
  expect(words.notFond).toBeUndefined();
  // @ts-expect-error -- a misspelled place
  expect(words.method({ method: 'POST' })).toContain('{methods}');
});

it('templateText > names a key that is missing, or has plural forms', () => {
  expect(() => templateText('inbox.list.serach')).toThrow('wording.yaml: inbox.list.serach is missing');
  expect(() => templateText('mails.digest.older')).toThrow('mails.digest.older is no text without plural forms');
});

it('every word of the service > is used', () => {
  const cwd = new URL('..', import.meta.url);
  const files = globSync('**/*.{html,txt,ts}', { cwd }).filter((file) => !/\.test\.ts$|service-words\.ts$/.test(file));
  const sources = [...files, '../../frontend/builder/nginx-errors.ts']
    .map((file) => readFileSync(new URL(file, cwd), 'utf8'))
    .join('\n');
  const keysIn = (table: Table, path: string): readonly string[] =>
    Object.entries(table).flatMap(([key, part]) =>
      isPlaces(part) ? [`${path}${key}`] : keysIn(part, `${path}${key}.`),
    );
  const unused = keysIn(SERVICE_WORDS, '')
    // The names of statuses and checks are read by their stored keys.
    .filter((key) => !/^submissions\.(?:status|reasons)\./.test(key))
    .filter((key) => !sources.includes(`{{wording.${key}}}`) && !sources.includes(`.${key.replace(/.*\./, '')}`));
  expect(unused).toEqual([]);
});
