import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { isPlaces, makeWords, SERVICE_WORDS, serviceWords, templateText, type Table } from './service-words.ts';

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
  ['no general plural form', { left: { one: 'One until {day}' } }, 'inbox.left.other is missing'],
])('makeWords > names the key > %s', (_what, changed, message) => {
  expect(() => makeWords(TABLE, { ...TEXTS, ...changed }, 'inbox')).toThrow(new Error(message));
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
  const sources = [...files, '../../frontend/build/nginx-errors.ts']
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
