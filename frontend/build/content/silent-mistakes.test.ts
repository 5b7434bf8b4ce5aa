import { readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { contentCopy } from '../../test/content-copy.ts';

/** Mistakes that once published a draft, dropped a page or showed marks to visitors without a word. */

const { folder, load, mistakes, read, reminders, replace, write } = contentCopy();

const JOB = 'jobs/kite-maker.md';
const PAGE = 'pages/services/kites.yaml';
const FORM_SECTION = '  - kind: form\n    form: contact\n    heading: Ask us\n';

describe('a draft', () => {
  const YES = ['true', 'True', 'TRUE', 'yes', 'Yes', 'on', 'ON', '1', '"true"', "'yes'", '[true]'];

  test.each(YES)('stays off the site > page with draft: %s', (spelling) => {
    write(PAGE, `draft: ${spelling}\n${read(PAGE)}`);
    replace('navigation.yaml', '/services/kites', '/privacy');
    expect(load().pages.map(({ path }) => path)).not.toContain('/services/kites');
    expect(load({ drafts: true }).pages.map(({ path }) => path)).toContain('/services/kites');
  });

  test.each(YES)('stays off the site > job with draft: %s', (spelling) => {
    replace(JOB, '---\n', `---\ndraft: ${spelling}\n`);
    replace(PAGE, '/careers/kite-maker', '/');
    expect(load().jobs).toEqual([]);
    expect(load({ drafts: true }).jobs).toHaveLength(1);
  });

  test.each(['ja', 'ture', 'x', ''])('is reported when it is spelled %s', (spelling) => {
    write(PAGE, `draft: ${spelling}\n${read(PAGE)}`);
    expect(mistakes()[0]).toMatch(
      /^content\/pages\/services\/kites\.yaml:1: draft (?:must be true or false|is missing)$/,
    );
  });

  test.each(['false', 'False', 'no', 'off', '0'])('is published > with draft: %s', (spelling) => {
    replace(JOB, '---\n', `---\ndraft: ${spelling}\n`);
    expect(load().jobs).toHaveLength(1);
  });

  test.each(['pages/home.yaml', 'pages/404.yaml', 'pages/job.yaml'])('cannot be %s, which the site needs', (file) => {
    write(file, `draft: true\n${read(file)}`);
    expect(mistakes()).toContain(`content/${file}:1: draft cannot stand here: the site needs this file`);
  });

  test('does not stop a build by its own mistakes', () => {
    write('pages/strings.yaml', 'draft: yes\nname: Strings\nhue: teel\n');
    expect(mistakes()).toEqual([]);
    expect(mistakes({ drafts: true }).length).toBeGreaterThan(2);
  });
});

const FILES = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(?:yaml|md)$/.test(file));

describe.each(FILES)('reports %s without content', (file) => {
  test.each([
    ['empty', () => ''],
    ['blank', () => ' \n\n \n'],
    ['commented out', () => read(file).replaceAll(/^/gm, '# ')],
    ['null', () => '~\n'],
    ['a line of hyphens', () => '---\n'],
    ['with the line ends of an old Mac', () => '\r\r'],
  ])('%s', (_kind, content) => {
    write(file, content());
    expect(mistakes()).toContainEqual(expect.stringMatching(`^content/${file}:1: `));
  });
});

test('reads line ends of classic Mac OS (CR)', () => {
  const pages = load().pages;
  write(PAGE, read(PAGE).replaceAll('\n', '\r'));
  expect(load().pages).toEqual(pages);
});

describe('reports a brace that visitors would see', () => {
  test.each([
    ['a space inside', '{ figures.clients }', 'write {figures.clients} in place of { figures.clients }'],
    ['doubled braces', '{{figures.clients}}', 'write {figures.clients} in place of {{figures.clients}}'],
    ['no closing brace', '{figures.clients', 'write {figures.clients} in place of {figures.clients'],
    ['no opening brace', 'figures.clients}', 'write {figures.clients} in place of figures.clients}'],
    [
      'a dollar in front',
      '${figures.client}',
      '{figures.client} is no fact of company.yaml, did you mean "figures.clients"?',
    ],
    ['a capital', '{Figures.clients}', '{Figures.clients} is no fact of company.yaml, did you mean "figures.clients"?'],
    [
      'nothing inside',
      '{}',
      '{} encloses no fact: write the name of one, such as {company.name}, or take the braces away',
    ],
  ])('%s', (_case, words, message) => {
    replace(PAGE, '{figures.clients}', words);
    expect(mistakes()).toEqual([`content/${PAGE}:21: ${message}`]);
  });

  test('in Markdown, outside the anchor of a heading', () => {
    replace(JOB, '- Fold', '- Fold {#fold}');
    expect(mistakes()).toEqual([expect.stringMatching(`^content/${JOB}:17: `)]);
  });

  test('in a fact of company.yaml that names itself', () => {
    replace('company.yaml', 'blurb: We build things.', 'blurb: We {company.blurb} things.');
    expect(mistakes()).toEqual([expect.stringMatching(/^content\/company\.yaml:4: \{company\.blurb\} is no fact/)]);
  });
});

test('reports the text of a position on another page', () => {
  replace(
    PAGE,
    '  - kind: cta',
    '  - kind: job\n    heading: x\n    parts: x\n    facts: [{ label: x, value: x }]\n  - kind: cta',
  );
  expect(mistakes()).toEqual([`content/${PAGE}:1: "kind: job" can stand in pages/job.yaml only`]);
});

test('fills a fact of company.yaml into another one', () => {
  replace(PAGE, 'kicker: Paper', "kicker: '{company.copyright}'");
  expect(load().pages.find(({ path }) => path === '/services/kites')?.hero.kicker).toBe('© 2026 Fernwood Systems');
});

test.each([
  ['a heading of blanks', PAGE, 'heading: Points', "heading: '   '", '15: heading is missing'],
  ['a heading of no-break spaces', PAGE, 'heading: Points', "heading: '\u00A0\u00A0'", '15: heading is missing'],
  [
    'a no-break space after a colon',
    PAGE,
    'heading: Points',
    'heading:\u00A0Points',
    '15: the line has a no-break space (U+00A0): type its spaces again',
  ],
  [
    'a no-break space before a field',
    PAGE,
    '  kicker: Paper',
    '\u00A0\u00A0kicker: Paper',
    '7: the line has a no-break space (U+00A0): type its spaces again',
  ],
  [
    'an invisible character in a name',
    PAGE,
    'kicker: Paper',
    'kic\u200Bker: Paper',
    '7: the line has an invisible character (U+200B): type it again',
  ],
  [
    'an id that a page has twice',
    PAGE,
    '  - kind: prose',
    '  - kind: prose\n    id: points',
    '23: id: "points" is the id of another section of this page: choose another one',
  ],
  [
    'a second form on a page',
    PAGE,
    '  - kind: prose',
    `${FORM_SECTION.repeat(2)}  - kind: prose`,
    '26: the field "name" of this form is on this page already: a page has one form, so move this one to another page',
  ],
  [
    'a stressed word that is not closed',
    PAGE,
    'A **light** kite',
    'A *light kite',
    '20: description: * has no partner: stressed words are *stressed*, without a space inside the marks',
  ],
  [
    'a link without its closing bracket',
    PAGE,
    '[you fly](/)',
    '[you fly(/)',
    '11: lead: [you fly(/) is no link: write [words](/address), without a space between',
  ],
  [
    'bold words where none can be',
    PAGE,
    'heading: Points',
    'heading: Our **points**',
    '15: heading shows ** and [words](/address) as they stand: bold words and links are possible in sentences only',
  ],
  [
    'a link whose address is in another place',
    PAGE,
    '[you fly](/)',
    '[you fly][home]',
    '11: lead: [you fly][home] is a link whose address is in another place: write [words](/address)',
  ],
  [
    'a link whose address is in another place, in Markdown',
    JOB,
    '- Fold',
    '- Fold [paper][1]',
    '17: [paper][1] is a link whose address is in another place: write [words](/address)',
  ],
  [
    'a list with a no-break space after its hyphen',
    JOB,
    '- Fold',
    '-\u00A0Fold',
    '17: this is a list from a word processor: write each point on a line that begins with "- "',
  ],
  [
    'a town that is none',
    JOB,
    'town: Madurai',
    'town: Remote (Nepal)',
    '4: town is no town: write "remote: true" in its place',
  ],
  [
    'a field named constructor',
    PAGE,
    'kicker: Paper',
    'constructor: Paper',
    '7: constructor cannot be the name of a field: choose another one',
  ],
  [
    'a field named __proto__',
    'company.yaml',
    'blurb: We',
    '__proto__: x\nblurb: We',
    '4: __proto__ cannot be the name of a field: choose another one',
  ],
  [
    'bullets of a word processor in a sentence',
    PAGE,
    '    - One.',
    '    - You get • one • two',
    '25: paragraphs has a bullet from a word processor: write a list instead, each point on a line that begins with "- "',
  ],
])('reports %s', (_mistake, file, words, by, message) => {
  replace(file, words, by);
  expect(mistakes()).toContain(`content/${file}:${message}`);
});

test('reminds of a position that is posted in the future', () => {
  const posted = /postedOn: (.*)/.exec(read(JOB))?.[1] ?? '';
  expect(load({ today: posted }).jobs).toHaveLength(1);
  expect(reminders({ today: posted })).not.toContainEqual(expect.stringContaining('postedOn'));
  expect(reminders({ today: '2020-01-01' })).toContainEqual(
    expect.stringMatching(`^content/${JOB}:\\d+: postedOn is ${posted}, which is still to come$`),
  );
});

test.each(['about.yaml~', 'pages/~$about.yaml', 'pages/#about.yaml#', 'pages/.about.yaml.swp', 'images/Thumbs.db'])(
  'ignores %s, which an editor or system made',
  (file) => {
    write(file, 'anything');
    expect(mistakes()).toEqual([]);
  },
);

test.each([
  ['kept line ends', '|\n    A **first** part.\n\n    A second part.'],
  ['folded lines', '>-\n    A **first** part.\n\n\n    A second part.'],
])('keeps the text after an empty line, with %s', (_kind, lead) => {
  replace(PAGE, /lead: >-\n.*\n.*/, `lead: ${lead}`);
  const page = load().pages.find(({ path }) => path === '/services/kites');
  expect(page?.hero.lead).toEqual(['A ', { tag: 'strong', children: ['first'] }, ' part.', ' ', 'A second part.']);
});

test('reports a list in place of a name', () => {
  replace(JOB, 'type: Full-time', 'type: [Full-time, Part-time]');
  expect(mistakes()).toContainEqual(expect.stringMatching(`^content/${JOB}:6: type must be type of employment`));
});
