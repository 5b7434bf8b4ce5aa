import { readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { contentCopy } from '../../test/content-copy.ts';

/** Mistakes that once published a draft, dropped a page or showed marks to visitors without a word. */

const { folder, load, mistakes, read, replace, write } = contentCopy();

const JOB = 'jobs/kite-maker.md';
const PAGE = 'pages/services/kites.yaml';
const SALARY = 'salary:\n  currency: EUR\n  min: 40000\n  max: 52000\n  unit: year\n';
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
  ['a heading of blanks', PAGE, 'heading: Points', "heading: '   '", 15],
  ['a heading of no-break spaces', PAGE, 'heading: Points', "heading: '\u00A0\u00A0'", 15],
  ['a no-break space after a colon', PAGE, 'heading: Points', 'heading:\u00A0Points', 15],
  ['a no-break space before a field', PAGE, '  kicker: Paper', '\u00A0\u00A0kicker: Paper', 7],
  ['an invisible character in a name', PAGE, 'kicker: Paper', 'kic\u200Bker: Paper', 7],
  ['an id that a page has twice', PAGE, '  - kind: prose', '  - kind: prose\n    id: points', 23],
  [
    'a second form on a page',
    PAGE,
    '  - kind: prose',
    `${FORM_SECTION}${FORM_SECTION.replace('us', 'again')}  - kind: prose`,
    26,
  ],
  ['a stressed word that is not closed', PAGE, 'A **light** kite', 'A *light kite', 20],
  ['bold words where none can be', PAGE, 'heading: Points', 'heading: Our **points**', 15],
  ['a link whose address is in another place', PAGE, '[you fly](/)', '[you fly][home]', 11],
  ['a link whose address is in another place, in Markdown', JOB, '- Fold', '- Fold [paper][1]', 17],
  ['a list with a no-break space after its hyphen', JOB, '- Fold', '-\u00A0Fold', 17],
  ['a town that is none', JOB, 'town: Madurai', 'town: Remote (Nepal)', 4],
  ['a field named constructor', PAGE, 'kicker: Paper', 'constructor: Paper', 7],
  ['a field named __proto__', 'company.yaml', 'blurb: We', '__proto__: x\nblurb: We', 4],
  ['bullets of a word processor in a sentence', PAGE, '    - One.', '    - "You get: • one • two"', 25],
])('reports %s', (_mistake, file, words, by, line) => {
  replace(file, words, by);
  expect(mistakes()).toContainEqual(expect.stringContaining(`content/${file}:${line}: `));
});

test.each(['https://firm.example/', 'https://firm.example?x', 'https://firm.example#x', 'https://a b', 'https://%'])(
  'reports a host that is no address > %s',
  (host) => {
    replace(COMPANY, 'https://fernwood.example', `'${host}'`);
    expect(mistakes()).toContainEqual(expect.stringContaining(`content/${COMPANY}:3: host must be an address such as`));
  },
);

test('accepts steps that are years', () => {
  replace(PAGE, '  - kind: prose', STEPS('2014', '2018', '2026'));
  expect(mistakes()).toEqual([]);
});

test.each(['about.yaml~', 'pages/~$about.yaml', 'pages/#about.yaml#', 'pages/.about.yaml.swp', 'images/Thumbs.db'])(
  'ignores %s, which an editor or system made',
  (file) => {
    write(file, 'anything');
    expect(mistakes()).toEqual([]);
  },
);

test('reports a list in place of a name', () => {
  replace(JOB, 'type: Full-time', 'type: [Full-time, Part-time]');
  expect(mistakes()).toContainEqual(expect.stringMatching(`^content/${JOB}:6: type must be type of employment`));
});

const COMPANY = 'company.yaml';
const MENU = 'navigation.yaml';
const LINK = 'href: /careers/kite-maker';
const STEPS = (...numbers: readonly string[]) =>
  `  - kind: process\n    heading: x\n    steps:\n${numbers
    .map((step) => `      - { step: '${step}', title: x, description: x }\n`)
    .join('')}  - kind: prose`;

test.each<[string, file: string, words: string | RegExp, by: string, line: number]>([
  ...['site-menu', 'application-heading', 'contact-outcome', 'resume-hint', 'email'].map(
    (id): [string, string, string, string, number] => [
      `the id ${id}, which the frame or a form has`,
      PAGE,
      'id: points',
      `id: ${id}`,
      14,
    ],
  ),
  ['an anchor in Markdown that a form has', JOB, '## What you do', '## What you do {#application}', 15],
  ['a button that opens a form that the page does not have', PAGE, LINK, 'opens: application', 33],
  ['a link to the own host', PAGE, LINK, 'href: https://fernwood.example/servicess', 33],
  ...['https://linkedin', 'https://localhost:8080/x', 'https://127.0.0.1/', 'mailto:hello@fernwood'].map(
    (to): [string, string, string, string, number] => [`a link to ${to}`, PAGE, LINK, `href: ${to}`, 33],
  ),
  ['a link that begins with two slashes', PAGE, LINK, 'href: //kites', 33],
  ['a link with parameters', PAGE, LINK, 'href: /privacy?utm_source=x#use', 33],
  ['a day of long ago', JOB, /postedOn: .*/, 'postedOn: 0205-09-01', 8],
  ['a day of a far future', JOB, /applyBy: .*/, 'applyBy: 3027-08-31', 9],
  ...['team-meeting.jpg', 'image', 'A picture'].map((alt): [string, string, string, string, number] => [
    `the alternative text "${alt}"`,
    PAGE,
    'alt: People at a table',
    `alt: ${alt}`,
    28,
  ]),
  ['an alternative text of 600 letters', PAGE, 'alt: People at a table', `alt: ${'People '.repeat(86)}`, 28],
  ['an item twice', PAGE, '      - One.', '      - One.\n      - Two.\n      - One.', 27],
  [
    'a section twice',
    PAGE,
    '  - kind: prose',
    `${'  - kind: prose\n    heading: x\n    paragraphs:\n      - x\n'.repeat(2)}  - kind: prose`,
    26,
  ],
  [
    'an entry of the menu twice',
    MENU,
    'groups:',
    '  - { label: Home, href: / }\n  - { label: Home, href: / }\ngroups:',
    10,
  ],
  ['steps that do not count up', PAGE, '  - kind: prose', STEPS('01', '20', '03'), 24],
  ['a company of the future', COMPANY, 'incorporated: 2020', 'incorporated: 2141', 6],
  ...['/privacy', 'mailto:hello@fernwood.example', 'https://mastodon'].map(
    (to): [string, string, string, string, number] => [
      `a social network at ${to}`,
      COMPANY,
      'https://x.com/fernwood_example',
      to,
      13,
    ],
  ),
  ...(
    [
      ['currency: Euro', 11],
      ['currency: eur', 11],
      ['min: 40.000', 12],
      ['min: 40k', 12],
      ['max: 40000', 13],
      ['unit: week', 14],
      ['unit:', 14],
    ] as const
  ).map(([wrong, line]): [string, string, string, string, number] => [
    `a salary with ${wrong}`,
    JOB,
    '---\n\n',
    `${SALARY.replace(RegExp(`${wrong.split(':')[0]}:.*`), wrong)}---\n\n`,
    line,
  ]),
  ['a full-width colon', PAGE, 'kicker: Paper', 'kicker：Paper', 7],
  ['an item one step too deep', PAGE, '      - One.', '      - One.\n        - Two.', 26],
])('reports %s in one line', (_mistake, file, words, by, line) => {
  replace(file, words, by);
  expect(mistakes().filter((one) => !one.includes('#points leads to no anchor'))).toEqual([
    expect.stringContaining(`content/${file}:${line}: `),
  ]);
});

test('accepts equal cells, steps in words, and addresses of other hosts', () => {
  replace(PAGE, '  - kind: prose', STEPS('First', 'Then'));
  replace(PAGE, LINK, 'href: https://docs.fernwood-kites.co.uk:8443/a?b=c#d');
  replace(COMPANY, 'https://x.com/', 'https://mastodon.example/@');
  replace(JOB, '---\n\n', `${SALARY}---\n\n`);
  expect(mistakes()).toEqual([]);
});

test('gives a heading another anchor than a field of the form on its page', () => {
  replace(JOB, '## What you do', '## Experience');
  const section = load().pages.find(({ path }) => path === '/careers/kite-maker')?.sections[0];
  expect(section && 'job' in section && section.job.body.parts.map(({ id }) => id)).toEqual(['experience-2']);
});

test('reports a position that has the name of a form', () => {
  write('jobs/application.md', read(JOB).replace('Kite Maker', 'Kite Tester'));
  expect(mistakes()).toContain(
    'content/jobs/application.md:1: has the name of a part of the page that lists it: choose another name for the file',
  );
});

test.each([
  ['pages/data-platforms.yaml.txt', 'pages/data-platforms.yaml'],
  ['pages/data-platforms(1).yaml', 'pages/data-platforms-1.yaml'],
  ['pages/für-sie.yaml', 'pages/fur-sie.yaml'],
  ['pages/Größe .yml', 'pages/grosse.yaml'],
])('reports the file name %s with one that is right', (file, right) => {
  write(file, read(PAGE));
  expect(mistakes()).toContainEqual(expect.stringContaining(`:1: rename it ${right}: small letters`));
});
