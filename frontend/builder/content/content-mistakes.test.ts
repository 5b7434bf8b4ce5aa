import { describe, expect, test } from '@jest/globals';
import { contentCopy } from '../../test/content-copy.ts';

/** Mistakes of people who do not program: each is one line with its place, and stops a build. */

const { mistakes, read, remove, replace, write } = contentCopy();

const JOB = 'jobs/android-entwicklung.md';
const PAGE = 'pages/services/individualsoftware.yaml';
const HOME = 'pages/home.yaml';
const COMPANY = 'company.yaml';
const MENU = 'navigation.yaml';
const WORDS = 'wording.yaml';

const NEXT = '  - kind: prose';
const LINK = 'href: /careers/android-entwicklung';
const ALT = 'alt: Ein Plan mit drei Etappen';
const BODY = '## Ihre Aufgaben';
const FORM = '  - kind: form\n    form: contact\n    heading: Fragen\n';
const section = (kind: string, lines: string) => `  - kind: ${kind}\n    heading: x\n${lines}${NEXT}`;
/** A mistake: what it is, the words that it replaces, and how many lines below their first one it is reported. */
type Row = readonly [what: string, words: string | RegExp, by: string, below?: number];

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  [PAGE]: [
    // Fields.
    ['a missing field', /^title: .*\n/m, '', -1],
    ['a field without a value', /^name: .*/m, 'name:'],
    ['a field named constructor', 'kicker:', 'constructor:'],
    ['a list where text belongs', 'kicker: Nach Maß', 'kicker: [Nach]'],
    ['a fact in braces without quotes', "title: '{figures.experts} Fachleute'", 'title: {figures.experts}'],
    ['a kind of section that does not exist', 'kind: cta', 'kind: ctaa'],
    ['a button that opens a form that the page does not have', LINK, "href: '#application'"],
    ['an unknown colour', 'hue: daemmerung', 'hue: dammerung'],
    ['an id of a form', NEXT, `${NEXT}\n    id: application-heading`, 1],
    ['an id that a page has twice', NEXT, `${NEXT}\n    id: vorteile`, 1],
    ['a second form on a page', NEXT, `${FORM}${FORM.replace('Fragen', 'Noch Fragen')}${NEXT}`, 3],
    [
      'deliverables of a paragraph',
      NEXT,
      section(
        'process',
        '    shape: paragraph\n    steps: [{ step: 1, title: x, description: x, deliverables: [x] }]\n',
      ),
    ],
    ['no serviceOption on the page of a service', /^serviceOption: .*\n/m, '', -34],
    ['too few keywords on the page of a service', '  - Software nach Maß\n', '', -2],
    ['a service that the form does not offer', 'serviceOption: Individual', 'serviceOption: Indivdual'],
    [
      'the text of a position on another page',
      NEXT,
      section('job', '    parts: x\n    facts: [{ label: x, value: x }]\n'),
    ],
    // Links.
    ['a link to no page', LINK, 'href: /careers/android'],
    ['a link to no anchor', "'#vorteile'", "'#vorteil'"],
    ['a link within a sentence to no page', '/privacy#daten', '/privcy'],
    ['a link to the own host', LINK, 'href: https://nordlicht-systems.example/leistungen'],
    ['a link to an incomplete mailbox', LINK, 'href: mailto:kontakt@nordlicht'],
    // Pictures.
    ['a picture that does not exist', 'image: services/plan', 'image: services/plam'],
    ['a picture whose alternative text was forgotten', ALT, 'alt:'],
    // Facts.
    ['a fact that company.yaml does not have', '{figures.experts}', '{figures.expert}'],
    ['a fact with two braces', '{figures.experts}', '{{figures.experts}}'],
    ['braces without a fact', '{figures.experts}', '{}'],
    // YAML.
    ['a colon in a heading', 'heading: Vorteile', 'heading: Vorteile: drei'],
    ['a word in quotes at the beginning', 'heading: Vorteile', "heading: 'Ihre' Vorteile"],
    ['a quote that does not end', 'heading: Vorteile', 'heading: "Vorteile', 26],
    ['a link at the beginning', 'kicker: Nach', 'kicker: [Nach](/) Maß'],
    ['a tab', '  kicker:', '\tkicker:'],
    ['a space too many', '  heading: Individual', '   heading: Individual', -1],
    ['no space after the colon', 'kicker: Nach', 'kicker:Nach'],
    ['a number sign in a sentence', 'heading: Vorteile', 'heading: Wir sind #1 in Kiel'],
    ['a text that goes on in the next line', 'heading: Vorteile', 'heading: Vorteile\nund mehr', 1],
    ['an item one step too deep', '      - Eins.', '      - Eins.\n        - Zwei.', 1],
    ['a field twice', 'hue: daemmerung', 'hue: daemmerung\nhue: eis', 1],
    ['a no-break space after a colon', 'heading: Vorteile', 'heading:\u00A0Vorteile'],
  ],
  [JOB]: [
    ['a day that is none', '2026-01-31', '31.1.2026'],
    ['a day that no month has', '2026-01-31', '2025-02-30'],
    ['a job that ends before it begins', 'postedOn: 2026', 'postedOn: 2029', 1],
    ['a country that does not exist', 'country: DE', 'country: ZZZ'],
    ['a type of employment that does not exist', 'type: Full-time', 'type: Fulltime'],
    ['a currency by its name', 'currency: EUR', 'currency: Euro'],
    ['an amount with a separator', 'min: 52000', 'min: 52.000'],
    ['an unclosed stress', '- Oberflächen', '- **Oberflächen'],
    ['a fact that does not exist', '- Oberflächen', '- Oberflächen für {company.nam}'],
    ['a link whose address is elsewhere', '- Oberflächen', '- [Oberflächen][1]'],
    ['a link that runs a script', '- Oberflächen', '- [Oberflächen](javascript:x)'],
    ['a block of HTML', BODY, `<div>x</div>\n\n${BODY}`],
    ['a heading that is not "## "', BODY, '### Ihre Aufgaben'],
    ['a heading without its space', '- Oberflächen', '- Oberflächen\n##Profil', 1],
    ['an anchor that a form has', BODY, `${BODY} {#application}`],
    ['an anchor within a text', '- Oberflächen', '- Oberflächen {#fold}'],
    ['a point without words', '- Oberflächen', '- Oberflächen\n-', 1],
    ['another mark within a list', '- Oberflächen', '* Oberflächen', 1],
    ['bold words as a heading', '- Oberflächen', '**Profil**\n\n- Oberflächen'],
    ['a table', BODY, `| Stufe | Gehalt |\n| --- | --- |\n| Eins | 5 |\n\n${BODY}`],
    ['a quote', BODY, `> Zitat\n\n${BODY}`],
    ['a line of hyphens', BODY, `Text\n\n---\n\n${BODY}`, 2],
  ],
  [COMPANY]: [
    ['a colon in the name', 'name: Nordlicht', 'name: Nordlicht: Kiel'],
    ['a social network without https', 'https://mastodon', 'mastodon'],
    ['words in place of a phone number', /^phone: .*/m, 'phone: auf Anfrage'],
    ['a language with an underscore', 'de-DE', 'de_DE'],
    ['a company of the future', 'incorporated: 2016', 'incorporated: 2141'],
    ['a host with a path', /^host: .*/m, 'host: https://firm.example?x'],
    ['a country by its name', 'country: CH', 'country: Schweiz'],
    ['a fact that names itself', 'blurb: Wir', 'blurb: Wir {company.blurb}'],
    ['a field named __proto__', 'blurb:', '__proto__: x\nblurb:'],
  ],
  [MENU]: [
    ['text where a list belongs', /footer:(?:\n {2}- .*)+/, 'footer: main'],
    ['an item without its spaces', 'description: Ein Team', 'description: Ein\n- label: Team\n  href: /', 1],
  ],
  [HOME]: [
    [
      'a group of links that does not exist',
      '  - kind: offices',
      '  - kind: link-groups\n    heading: x\n    groups: [menue]\n  - kind: offices',
      2,
    ],
  ],
  [WORDS]: [
    ['a service twice', '- Webanwendungen', '- Individualsoftware'],
    ['services in a sentence', /options:(?:\n +- .*)+/, 'options: Software'],
    ['a fact of the company', 'hat keinen Inhalt.', 'hat {company.name}.'],
    ['a place in a word of the site', 'skip: Zum', 'skip: Zum {count}'],
    ['a mark', 'skip: Zum', 'skip: <b>Zum</b>'],
  ],
  'pages/job.yaml': [['a fact that positions do not have', '{job.department}', '{job.departmnt}']],
};

describe.each(Object.entries(ROWS))('%s', (file, rows) => {
  test.each(rows)('reports %s', (_what, words, by, below = 0) => {
    const source = read(file);
    const at = typeof words === 'string' ? source.indexOf(words) : source.search(words);
    const line = source.slice(0, at).split('\n').length + below;
    replace(file, words, by);
    expect(mistakes()).toEqual([expect.stringContaining(`content/${file}:${line}: `)]);
  });
});

describe('a file', () => {
  test.each([
    ['pages/privacy.yaml', 'has the address /privacy, which content/legal/privacy.md has too'],
    ['pages/index.yaml', 'has the address /, which content/pages/home.yaml has too'],
    ['pages/api.yaml', 'has the address /api, which belongs to the server: choose another name'],
    ['jobs/tester.yaml', 'rename it jobs/tester.md: small letters, digits and hyphens, and .md at its end'],
    ['pages/Größe (1).yml', 'rename it pages/grosse-1.yaml: small letters, digits and hyphens, and .yaml at its end'],
    [
      'about.yaml',
      'belongs to nothing: a page is pages/a-name.yaml, a job jobs/a-name.md, a legal text legal/a-name.md',
    ],
  ])('has a wrong name > %s', (file, message) => {
    write(file, read(PAGE));
    expect(mistakes()).toContain(`content/${file}:1: ${message}`);
  });

  test.each(['about.yaml~', 'pages/~$about.yaml', 'pages/#about.yaml#', 'pages/.about.yaml.swp', 'images/Thumbs.db'])(
    'is of an editor or system, and ignored > %s',
    (file) => {
      write(file, 'anything');
      expect(mistakes()).toEqual([]);
    },
  );

  test.each(['brand.yaml', COMPANY, MENU, WORDS, HOME, 'pages/404.yaml', 'pages/job.yaml'])(
    'is needed > %s',
    (file) => {
      remove(file);
      expect(mistakes()).toContain(`content/${file}:1: is missing`);
    },
  );

  test.each([
    ['empty', ''],
    ['blank', ' \n\n \n'],
    ['commented out', '# name: x\n'],
    ['null', '~\n'],
    ['a line of hyphens', '---\n'],
    ['not UTF-8', Buffer.from('name: \xdcber uns\n', 'latin1')],
  ])('cannot be read > %s', (_format, source) => {
    for (const file of [PAGE, JOB, WORDS]) {
      write(file, source);
      expect(mistakes()).toContainEqual(expect.stringContaining(`content/${file}:1: `));
    }
  });

  test('may have the line ends of classic Mac OS', () => {
    write(PAGE, read(PAGE).replaceAll('\n', '\r'));
    expect(mistakes()).toEqual([]);
  });
});

test('mistakes of all files are reported at once, sorted by file and line', () => {
  replace(PAGE, 'icon: lightbulb', 'icon: lightbulp');
  replace(PAGE, 'hue: daemmerung', 'hue: red');
  replace(JOB, 'country: DE', 'country: de');
  expect(mistakes().map((message) => message.split(' ')[0])).toEqual([
    `content/${JOB}:5:`,
    `content/${PAGE}:5:`,
    `content/${PAGE}:18:`,
  ]);
});

test.each([
  [PAGE, 'heading: Vorteile', 'heading: Vorteile: drei', 'Vorteile: drei needs quotes around the whole text ("...")'],
  [PAGE, '  kicker:', '\tkicker:', 'the line begins with a tab: use spaces, two for each step'],
  [PAGE, 'hue: daemmerung', 'hue: dammerung', '"dammerung" is no colour of brand.yaml, did you mean "daemmerung"?'],
  [PAGE, 'kicker:', 'kiker:', 'kiker is no field here, did you mean "kicker"?'],
  [PAGE, LINK, 'href: /careers/android', 'leads to no page of this site, did you mean "/careers"?'],
  [PAGE, ' {6}alt: .*\n', '', 'alt is missing: say what the picture shows, or write "" if it only decorates'],
  [
    PAGE,
    '{figures.experts}',
    '{figures.expert}',
    '{figures.expert} is no fact of company.yaml, did you mean "figures.experts"?',
  ],
  [PAGE, '{figures.experts}', '{{figures.experts}}', 'write {figures.experts} in place of {{figures.experts}}'],
  [JOB, '2026-01-31', '31.1.2026', 'postedOn must be a date such as 2026-01-31'],
  [JOB, 'country: DE', 'country: UK', 'country must be the two capital letters of a country, such as GB'],
])('says what to write > %s: %s', (file, words, by, message) => {
  replace(file, words.includes('.*') ? RegExp(words) : words, by);
  expect(mistakes()[0]).toContain(message);
});

test('a mistake of the template is reported once, one of a position with its file', () => {
  replace(JOB, 'experience: 2 Jahre', `experience: ${'viele '.repeat(20)}Jahre`);
  expect(mistakes()).toEqual([
    `content/pages/job.yaml:4: description must have at most 160 letters, or search engines cut it (with the facts of content/${JOB})`,
  ]);
});
