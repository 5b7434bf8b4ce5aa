import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { CONTENT } from './paths.ts';
import { markMistakes, textsOf } from './visible-text.ts';

const messages = (html: string) => markMistakes('pages/home.yaml', html).map(({ message }) => message);

test.each([
  ['a tag', 'Young&lt;br&gt;old', '<br> is HTML'],
  ['an entity', 'Young &amp;amp; old', '&amp; is HTML'],
  ['an entity with a name', 'Young&amp;nbsp;old', '&nbsp; is HTML'],
  ['bold words', 'Our **points**', '** is markup'],
  ['a link', 'Our [points](/)', ']( is markup'],
  ['a brace', 'Our {figures.points', '{ is markup'],
  ['a heading', '## Points', '## is markup'],
  ['a rest of a merge', '&lt;&lt;&lt;&lt;&lt;&lt;&lt; HEAD', '<<<< is markup'],
  ['a lost letter', 'gr\uFFFD\u00DFer', '\uFFFD was spoiled'],
  ['a spoiled letter', 'gr\u00C3\u00B6\u00DFer', '\u00C3\u00B6 was spoiled'],
  ['a NUL', 'a\0b', '\0 is invisible'],
  ['an override of the direction', 'a\u202Eb', '\u202E is invisible'],
])('finds what visitors see as a mark > %s', (_what, text, message) => {
  const expected = [expect.stringContaining(`is on the built page: ${message}`)];
  expect(messages(`<p>One</p><p class="a">${text}</p>`)).toEqual(expected);
  expect(messages(`<img alt="${text}"/>`)).toEqual(expected);
  expect(messages(`<meta name="description" content="${text}">`)).toEqual(expected);
});

test.each([
  'AT&amp;T; R&amp;D',
  '&lt;20 ms',
  '$5 ~ $6',
  'C# and #1',
  'snake_case',
  '5 * 3',
  'naïve',
  'vector&lt;T&gt;',
  'List&lt;String&gt;',
])('accepts %s', (text) => {
  expect(messages(`<p>${text}</p>`)).toEqual([]);
});

test('leaves out code, scripts, styles and remarks', () => {
  const html = '<script>a={}</script><style>a{}</style><!-- {a} --><p>One <code>&lt;b&gt;</code> two</p>';
  expect(textsOf(html)).toEqual(['One ', ' two']);
  expect(messages(html)).toEqual([]);
});

test('names the first line that has the mark, in the page or in a file that several pages use', () => {
  const firstLineOf = (file: string) => {
    const [before = ''] = readFileSync(join(CONTENT, file), 'utf8').split('{');
    return { file, line: before.split('\n').length };
  };
  expect(markMistakes('pages/home.yaml', '<p>{nowhere</p>')).toMatchObject([firstLineOf('pages/home.yaml')]);
  expect(markMistakes('legal/privacy.md', '<p>One **two</p>')).toMatchObject([{ file: 'legal/privacy.md' }]);
});
