import { describe, expect, test } from '@jest/globals';
import { contentCopy } from '../../test/content-copy.ts';

/** Marks that visitors would see: each is a mistake at its line, and words that only resemble one are not. */

const { load, mistakes, replace } = contentCopy();

const JOB = 'jobs/android-entwicklung.md';
const PAGE = 'pages/services/individualsoftware.yaml';

/** Line of the first item of a list, from which the texts are written. */
const FIRST_LINE = 25;
const asItems = (texts: readonly string[]) =>
  replace(PAGE, '      - Eins.\n', texts.map((text) => `      - ${JSON.stringify(text)}\n`).join(''));
/** Writes texts into a field without markup, two lines for each. */
const asNames = (texts: readonly string[]) =>
  replace(
    PAGE,
    '  - kind: prose',
    `  - kind: stack\n    heading: x\n    technologies:\n${texts
      .map((text) => `      - name: ${JSON.stringify(text)}\n        category: x\n`)
      .join('')}  - kind: prose`,
  );

const IN_EVERY_TEXT = [
  'a [words] (/address)',
  'a **word',
  'a ~~word~~',
  'a note[^1]',
  '[ ] a task',
  'Two ## Requirements',
  '| One | Two |',
  '• one • two',
];
const IN_FIELDS = [
  ...IN_EVERY_TEXT,
  'Young<br>Ambitious',
  'Read <a href="/privacy">more</a>',
  'Young &amp; old',
  'It&#39;s',
  'About **us**',
  'About *us*',
  'About [us](/about)',
  '> Said',
  '- One',
  '1. One 2. Two',
];
const IN_SENTENCES = [
  ...IN_EVERY_TEXT,
  '# One',
  '> Said',
  '- One',
  '---',
  '```\ncode\n```',
  'One.\n\nTwo.',
  'a <br>word',
];

test.each([
  ['fields without markup', asNames, IN_FIELDS, 2],
  ['sentences', asItems, IN_SENTENCES, 1],
] as const)('%s > each mark is a mistake at its line', (_where, put, texts, lines) => {
  put(texts);
  expect(mistakes().map((line) => line.replace(/: .*/, ''))).toEqual(
    texts.map((_text, index) => `content/${PAGE}:${FIRST_LINE + index * lines}`),
  );
});

describe('words that only resemble marks are published', () => {
  const WORDS = [
    'C++ vector<T> and Map<K, V>',
    'List<String>, Promise<void>, Array<string[]>',
    '<20 ms, > 3 s',
    'from $5 ~ $6',
    'snake_case and _id',
    '5 * 3 * 2',
    'We are #1 in Madurai',
    '[optional] words',
    'C:\\Kites',
    '1. September 2026',
    'I <3 kites',
    'Firma [X] GmbH',
    '9 €*/Monat, 90 €*/Jahr',
    'Mitarbeiter*innen (m/w/d), 24/7*',
    '+49 (0)40 123-45',
  ];

  test('in fields', () => {
    asNames([...WORDS, '#KiteTeam', '> $5', '*excl. VAT']);
    expect(mistakes()).toEqual([]);
  });

  test('in sentences, also escaped and as code', () => {
    const escaped = ['\\# 1', '1\\. Mai', '\\*VAT', '`<b>` and `**`', '`a@b.example`', 'Tom &amp; Ann'];
    asItems([...WORDS, ...escaped, '[a@firma.example](mailto:a@firma.example)']);
    expect(mistakes()).toEqual([]);
  });

  test('in Markdown', () => {
    replace(JOB, '- Oberflächen', WORDS.map((words) => `- ${words}`).join('\n'));
    expect(mistakes()).toEqual([]);
  });
});

test('keeps the marks of sentences', () => {
  asItems(['A **bold** word, *stressed*, `code`, [link](/)  \nand line', 'Kept\\\nline']);
  const page = load().pages.find(({ path }) => path === '/services/individualsoftware');
  expect(page?.sections[1]).toMatchObject({ paragraphs: [expect.any(Array), ['Kept', { tag: 'br' }, 'line']] });
});
