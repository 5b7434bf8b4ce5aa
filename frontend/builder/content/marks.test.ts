import { describe, expect, test } from '@jest/globals';
import { contentCopy } from '../../test/content-copy.ts';

/** Marks that visitors would see: each is a mistake at its line, and words that only resemble one are not. */

const { load, mistakes, read, reminders, replace, write } = contentCopy();

const JOB = 'jobs/kite-maker.md';
const PAGE = 'pages/services/kites.yaml';

/** Writes texts as the items of a list, from this line on. */
const FIRST_LINE = 25;
const asItems = (texts: readonly string[]) =>
  replace(PAGE, '      - One.\n', texts.map((text) => `      - ${JSON.stringify(text)}\n`).join(''));
/** Writes texts into a field without markup, two lines for each. */
const asNames = (texts: readonly string[]) =>
  replace(
    PAGE,
    '  - kind: prose',
    `  - kind: stack\n    heading: x\n    technologies:\n${texts
      .map((text) => `      - name: ${JSON.stringify(text)}\n        category: x\n`)
      .join('')}  - kind: prose`,
  );

const IN_EVERY_TEXT: readonly (readonly [text: string, message: string])[] = [
  ['a [words] (/address)', '] (/address) is no link'],
  ['a [words][there]', '[words][there] is a link whose address is in another place'],
  ['a **word', '**'],
  ['a ~~word~~', '~~ crosses words out'],
  ['a note[^1]', '[^1] is a footnote'],
  ['[ ] a task', '[ ] is a box'],
  ['[x] a task', '[x] is a box'],
  ['an # TODO check this order', '# TODO is no remark within a text'],
  ['##Requirements', '##Requirements is no heading'],
  ['Two ## Requirements', '## Requirements is no heading'],
  ['One\\ Two', '\\ breaks no line here'],
  ['Two\\', '\\ breaks no line here'],
  ['| One | Two |', '| One | Two | is a table'],
  ['• one • two', '• is a bullet'],
  ['You get: • one', '• is a bullet'],
  ['Young &amp;amp; old', '&amp; is HTML'],
];

const IN_FIELDS: typeof IN_EVERY_TEXT = [
  ...IN_EVERY_TEXT,
  ['Young<br>Ambitious', '<br> is HTML'],
  ['<BR/>', '<BR/> is HTML'],
  ['a List<br>', '<br> is HTML'],
  ['A<BR>B', '<BR> is HTML'],
  ['a <String>', '<String> is HTML'],
  ['Young<strog>', '<strog> is HTML'],
  ['<b>Global</b>', '<b> is HTML'],
  ['Read <a href="/privacy">more</a>', '<a href="/privacy"> is HTML'],
  ['a <!-- remark -->', '<!-- is HTML'],
  ['Young &amp; old', '&amp; is HTML'],
  ['Global&nbsp;Delivery', '&nbsp; is HTML'],
  ['It&#39;s', '&#39; is HTML'],
  ['It&#x27;s', '&#x27; is HTML'],
  ['About **us**', '**us** is Markdown'],
  ['About *us*', '*us* is Markdown'],
  ['About _us all_', '_us all_ is Markdown'],
  ['About `us`', '`us` is Markdown'],
  ['About [us](/about)', '[us](/about) is Markdown'],
  ['About [us](about)', '[us](about) is Markdown'],
  ['> Said', '> is Markdown'],
  ['- One', '- is Markdown'],
  ['1. One 2. Two', '1. is Markdown'],
  ['# One', '# One is no remark'],
];

const IN_SENTENCES: typeof IN_EVERY_TEXT = [
  ...IN_EVERY_TEXT,
  ['a *word', '* has no partner'],
  ['#Requirements', '#Requirements is no heading'],
  ['an escaped \\<b\\>', '<b> is HTML'],
  ['escaped \\*\\*', '** is markup'],
  ['[0, 1](0, 2]', ']( is markup'],
  ['# One', 'a text cannot have a heading or a remark'],
  ['One\n# TODO check', 'a text cannot have a heading or a remark'],
  ['> Said', 'a sentence cannot be a quote'],
  ['- One', 'a sentence cannot be a list'],
  ['1. One 2. Two', 'a sentence cannot be a list'],
  ['1) One', 'a sentence cannot be a list'],
  ['---', '"---" cannot stand in a sentence'],
  ['```\ncode\n```', '"```" cannot stand in a sentence'],
  ['One.\n\nTwo.', 'an empty line begins no new paragraph here'],
  ['At https://fernwood.example/a you see', 'https://fernwood.example/a is no link yet'],
  ['At www.fernwood.example you see', 'www.fernwood.example is no link yet'],
  ['Write to hello@fernwood.example.', 'hello@fernwood.example is no link yet'],
  ['a <b>word</b>', '<b> is HTML'],
  ['a List<br>', '<br> is HTML'],
  ['a <String>', '<String> is HTML'],
  ['a <T-1 x>', '<T-1 x> is HTML'],
];

test('fields without markup > each mark is a mistake at its line', () => {
  asNames(IN_FIELDS.map(([text]) => text));
  expect(mistakes()).toEqual(
    IN_FIELDS.map(([, message], index) =>
      expect.stringContaining(`content/${PAGE}:${FIRST_LINE + index * 2}: name: ${message}`),
    ),
  );
});

test('sentences > each mark is a mistake at its line', () => {
  asItems(IN_SENTENCES.map(([text]) => text));
  expect(mistakes()).toEqual(
    IN_SENTENCES.map(([, message], index) =>
      expect.stringContaining(`content/${PAGE}:${FIRST_LINE + index}: paragraphs: ${message}`),
    ),
  );
});

test.each([
  ['a heading without its space', '- Fold\n##Requirements', 18, '##Requirements is no heading'],
  [
    'a mark in a heading, whose words would be lost',
    '- Fold\n\n## Our ~~old~~ **kites**\n\nx',
    19,
    '~~ crosses words out',
  ],
  ['a link in a heading, which would be lost', '- Fold\n\n## The [kites](/)\n\nx', 19, 'a heading cannot have a link'],
  ['code in a heading, where it looks like words', '- Fold\n\n## The `<b>`\n\nx', 19, '<b> is HTML'],
  ['a box of a list of tasks', '- [ ] Fold', 17, '[ ] is a box of a list of tasks'],
  ['a point without words', '- Fold\n-', 18, 'a point of the list has no words'],
  ['a number within a list', '- Fold\n1) Cut', 18, 'a second list begins here, because its marks differ'],
  ['another mark within a list', '- Fold\n* Cut', 18, 'a second list begins here, because its marks differ'],
  ['bold words as a heading', '**Requirements**\n\n- Fold', 17, 'bold words alone are no heading'],
  ['crossed out words', '- ~~Fold~~', 17, '~~ crosses words out'],
  ['pasted points', '– Fold\n– Cut', 17, 'this is a list from a word processor'],
  ['pasted points below a line', 'You\n— fold\n— cut', 17, 'this is a list from a word processor'],
  ['a footnote', '- Fold[^1]', 17, '[^1] is a footnote'],
  ['a remark', '- Fold # TODO check', 17, '# TODO is no remark'],
  ['an invisible character before a hyphen', '- Fold\n\u200B- Cut', 18, 'the line has an invisible character (U+200B)'],
  ['a no-break space before a hyphen', '- Fold\n\u00A0- Cut', 18, 'the line has a no-break space (U+00A0)'],
  ['an address that is no link', '- Ask hello@fernwood.example', 17, 'hello@fernwood.example is no link yet'],
])('Markdown > reports %s', (_what, text, line, message) => {
  replace(JOB, '- Fold', text);
  expect(mistakes()[0]).toContain(`content/${JOB}:${line}: ${message}`);
});

describe('words that only resemble marks are published', () => {
  const WORDS = [
    'C++ vector<T> and Map<K, V>',
    'List<String>, Map<String, List<Integer>>, Promise<void>, Vec<u8>, Array<string[]>',
    'AT&T; R&D; Q&A',
    '<20 ms, > 3 s',
    'from $5 ~ $6',
    'snake_case and _id',
    '5 * 3 * 2',
    '2*3*4',
    'We are #1 in Madurai',
    'C# and F#',
    '[optional] words',
    'a – b — c - d',
    '24/7',
    'C:\\Kites',
    'Mr. A. 1. Mai',
    '1. September 2026',
    '3. Stock, links',
    'I <3 kites',
    'São Paulo, Ärzte, Œuvre, naïve',
    '👩‍💻 kites',
    'null and void, ~ 5',
    '1. Mai bis 3. Juni',
    '1. Mai bis 2. Juni',
    '1. und 2. Stock',
    '1. Mai, 2. Mai',
    'Suite # 5',
    'Berlin • Hamburg',
    '✓ Geprüft',
    'siehe [1] [2]',
    'matrix[i][j]',
    'Firma [X] GmbH',
    '9 €*/Monat, 90 €*/Jahr',
    'Menü*und*Café',
    'core@17.3.1',
    '«\u00A0Ça va\u202F?\u00A0» 5\u00A0€',
    'Zusammen\u00ADarbeit',
    'Mitarbeiter*innen (m/w/d), 24/7*',
    'C#, .NET, R&D',
    '+49 (0)40 123-45',
    '-5 °C',
  ];

  test('in fields', () => {
    asNames([...WORDS, '#KiteTeam', '> 95 %', '> $5', '*excl. VAT']);
    expect(mistakes()).toEqual([]);
  });

  test('in sentences, also escaped and as code', () => {
    const escaped = [
      '\\# 1',
      '1\\. Mai',
      '\\*VAT',
      '\\#KiteTeam',
      '\\*.pdf',
      '`<b>` and `**`',
      '`a@b.example`',
      'Tom &amp; Ann',
    ];
    const link = '[a@fernwood.example](mailto:a@fernwood.example)';
    asItems([...WORDS, ...escaped, link]);
    expect(mistakes()).toEqual([]);
  });

  test.each([
    'Call us:\n\n+49 40 5550 0123',
    '+49 40 5550 0123\n+49 40 5550 0124',
    '-5 °C and less',
    '– No, she said.',
    '— No, she said,\nand left.',
    'so dass wir,\nz. B. im Haus,\ni. d. R. auch draußen,\nd. h. überall, helfen',
  ])('at the beginning of a paragraph > %j', (text) => {
    replace(JOB, '- Fold', text);
    expect(mistakes()).toEqual([]);
  });

  test('a generic type in a heading', () => {
    replace(JOB, '- Fold', '- Fold\n\n## A List<String>\n\nx');
    expect(load().jobs[0]?.body.parts.map(({ title }) => title)).toContain('A List<String>');
  });

  test('addresses in a heading', () => {
    replace(JOB, '- Fold', '- Fold\n\n## www.firm.example and a@firm.example\n\nx');
    expect(mistakes()).toEqual([]);
  });

  test('after a colon and a no-break space within a block', () => {
    replace(PAGE, /lead: >-\n.*\n.*/, 'lead: >-\n    Call\n    Tel:\u00A05550.');
    expect(mistakes()).toEqual([]);
  });

  test('in Markdown', () => {
    replace(JOB, '- Fold', WORDS.map((words) => `- ${words}`).join('\n'));
    expect(mistakes()).toEqual([]);
  });
});

describe('a remark within a text', () => {
  test.each([
    ['folded', 'lead: >-\n    One\n    # TODO check this line\n    two.'],
    ['folded, without a space', 'lead: >-\n    One\n    #two\n    three.'],
    ['with kept lines', 'lead: |-\n    One\n    # TODO check this line\n    two.'],
    ['in double quotes', 'lead: "One\n    # TODO check this line\n    two."'],
    ['in single quotes', "lead: 'One\n    # TODO check this line\n    two.'"],
  ])('is a mistake at its line > %s', (_kind, text) => {
    replace(PAGE, /lead: >-\n.*\n.*/, text);
    const line = text.startsWith('lead: >') || text.startsWith('lead: |') ? 11 : 10;
    expect(mistakes()).toEqual([
      expect.stringMatching(new RegExp(`^content/${PAGE}:${line}: "#.*" is no remark within a text`)),
    ]);
  });

  test('is a remark above a field', () => {
    replace(PAGE, '  kicker: Paper', '  # TODO check this line\n  kicker: Paper');
    expect(mistakes()).toEqual([]);
  });
});

test.each(['null', 'Null', '~'])('reports a field that is %s, and not the word in quotes', (nothing) => {
  replace(PAGE, 'kicker: Paper', `kicker: ${nothing}`);
  expect(mistakes()).toEqual([
    `content/${PAGE}:7: ${nothing} would be published as a word: delete the field, or put the word in quotes`,
  ]);
  replace(PAGE, `kicker: ${nothing}`, `kicker: '${nothing}'`);
  expect(mistakes()).toEqual([]);
});

test.each(['TODO', 'tbd', 'XXX', 'Lorem ipsum dolor', 'Paper (TODO)', 'undefined'])(
  'reminds of a text that is still to be written > %s',
  (words) => {
    replace(PAGE, 'kicker: Paper', `kicker: ${words}`);
    replace(JOB, '- Fold', `- ${words}`);
    expect(reminders()).toEqual([
      expect.stringMatching(`^content/${JOB}:17: .* is still a stand-in: write the text$`),
      expect.stringMatching(`^content/${PAGE}:7: .* is still a stand-in: write the text$`),
    ]);
  },
);

describe.each([PAGE, JOB])('%s', (file) => {
  const lineAfter = (words: string) => read(file).slice(0, read(file).indexOf(words)).split('\n').length;

  test.each(['<<<<<<< HEAD', '||||||| base', '=======', '>>>>>>> main', '  ======='])(
    'reports a rest of a merge > %s',
    (mark) => {
      const last = read(file).trimEnd().split('\n').length + 1;
      write(file, `${read(file).trimEnd()}\n${mark}\n`);
      expect(mistakes()).toContainEqual(
        expect.stringMatching(`^content/${file}:${last}: this is a rest of two versions that were merged`),
      );
    },
  );

  test.each([
    ['a lost letter', '\uFFFD', '"\uFFFD" is a letter that another encoding has spoiled'],
    ['a spoiled quote', 'â€™', '"â€™" is a letter that another encoding has spoiled'],
    ['a spoiled umlaut', 'Ã¼', '"Ã¼" is a letter that another encoding has spoiled'],
    ['a NUL', '\0', 'the line has an invisible character \\(U\\+0000\\)'],
    ['a line separator', '\u2028', 'the line has an invisible character \\(U\\+2028\\)'],
    ['an override of the direction', '\u202E', 'the line has an invisible character \\(U\\+202E\\)'],
  ])('reports %s', (_what, character, message) => {
    const place = file === JOB ? 'Glue' : 'Paper';
    const line = lineAfter(place);
    replace(file, place, `${place}${character}`);
    expect(mistakes()).toEqual([expect.stringMatching(`^content/${file}:${line}: ${message}`)]);
  });
});

test.each([
  ['RTF', '{\\rtf1\\ansi Kites}'],
  ['JSON', '{\n  "name": "Kites"\n}'],
  ['HTML', '<!DOCTYPE html><p>Kites'],
  ['a document of a word processor', 'PK\u0003\u0004\u0014\0'],
])('reports a file that is %s', (format, source) => {
  write('pages/strings.yaml', source);
  expect(mistakes()).toEqual([
    `content/pages/strings.yaml:1: is ${format} and no plain text: save it as text (UTF-8), written like the others`,
  ]);
});

test('keeps the marks of sentences', () => {
  asItems(['A **bold** word, *stressed*, `code`, [link](/)  \nand line', 'Kept\\\nline']);
  const page = load().pages.find(({ path }) => path === '/services/kites');
  expect(page?.sections[1]).toMatchObject({ paragraphs: [expect.any(Array), ['Kept', { tag: 'br' }, 'line']] });
});
