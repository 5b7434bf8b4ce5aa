import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { LOCALE } from '../../../form-service/src/contract/locale.ts';
import { makeTemporaryFolder } from '../../../scripts/checks/temporary-folder.ts';
import { contentCopy } from '../../test/content-copy.ts';

/** Typical mistakes of people who do not program, each with the one message that it causes. */

const { folder, load, mistakes, read, reminders, remove, replace, write } = contentCopy();

const countries = new Intl.DisplayNames(LOCALE, { type: 'region' });

const JOB = 'jobs/kite-maker.md';
const PAGE = 'pages/services/kites.yaml';
const lineIn = (file: string, words: string | RegExp) =>
  read(file).slice(0, read(file).search(words)).split('\n').length;

test.each<[string, file: string, words: string | RegExp, by: string, message: string]>([
  [
    'a colon in a heading',
    PAGE,
    'heading: Points',
    'heading: Our points: three',
    "15: heading has a colon within its text, which needs quotes: write heading: 'Our points: three'",
  ],
  [
    'a colon in an item of a list',
    PAGE,
    '- One.',
    '- One: two.',
    '25: paragraphs must be text; put it in quotes if it begins with { or [, or has a colon',
  ],
  [
    'a word in quotes at the beginning',
    PAGE,
    'heading: Points',
    "heading: 'Our' points",
    `15: heading has a quote within its text: write heading: "'Our' points"`,
  ],
  [
    'an apostrophe within quotes',
    PAGE,
    'heading: Points',
    "heading: 'It's ours'",
    `15: heading has a quote within its text: write heading: "It's ours"`,
  ],
  [
    'a quote that does not end',
    PAGE,
    'heading: Points',
    'heading: "Points',
    '15: heading begins with a quote that does not end: write the same one at the end of the text',
  ],
  [
    'a fact at the beginning of a heading',
    PAGE,
    'heading: Points',
    'heading: {company.name} points',
    "15: heading begins with {, which needs quotes: write heading: '{company.name} points'",
  ],
  [
    'an unknown kind of kite',
    PAGE,
    'hue: teal',
    'hue: teal\nkite:\n  kind: edy',
    '7: kind: "edy" is no kind of kite, did you mean "eddy"?',
  ],
  ['a kite without a kind', PAGE, 'hue: teal', 'hue: teal\nkite:\n  name: Eddy', '6: kind is missing'],
  [
    'a fact that is the whole heading',
    PAGE,
    'heading: Points',
    'heading: {company.name}',
    '15: heading must be text; put it in quotes if it begins with { or [, or has a colon',
  ],
  [
    'a link at the beginning',
    PAGE,
    'kicker: Paper',
    'kicker: [Paper](/) first',
    "7: kicker begins with [, which needs quotes: write kicker: '[Paper](/) first'",
  ],
  [
    'stressed words at the beginning',
    PAGE,
    'description: A **light**',
    'description: **A light**',
    "20: description begins with *, which needs quotes: write description: '**A light** kite.'",
  ],
  [
    'an @ at the beginning',
    PAGE,
    'kicker: Paper',
    'kicker: @paper',
    "7: kicker begins with @, which needs quotes: write kicker: '@paper'",
  ],
  ['a tab', PAGE, '  kicker: Paper', '\tkicker: Paper', '7: the line begins with a tab: use spaces, two for each step'],
  [
    'a space too many',
    PAGE,
    '  heading: Kites',
    '   heading: Kites',
    '8: heading has 3 spaces before it; the field above has 2',
  ],
  [
    'a space too few',
    PAGE,
    '  heading: Kites',
    ' heading: Kites',
    '8: heading has 1 space before it, and no field above has; the last one has 2',
  ],
  [
    'no space after the colon',
    PAGE,
    'kicker: Paper',
    'kicker:Paper',
    '7: write a space after the colon: kicker: Paper',
  ],
  [
    'a number sign in a sentence',
    PAGE,
    'heading: Points',
    'heading: We are #1 in Madurai',
    '15: the text ends before "#1 in Madurai", which counts as a remark: put the whole text in quotes, or the remark on its own line',
  ],
  [
    'a text that goes on in the next line',
    PAGE,
    'heading: Points',
    'heading: Points\nand more',
    '16: this is no field ("name: words"): a text of several lines begins with ">-" after its name, and each of its lines has two spaces more before it than the name',
  ],
  [
    'an item that stands further right',
    PAGE,
    '      - One.',
    '      - One.\n       - Two.',
    '26: this counts as a part of the text above: give all items the same number of spaces before their "- "',
  ],
  [
    'an item that was pasted without its spaces',
    'navigation.yaml',
    'description: From paper',
    'description: From paper\n- label: Strings\n  href: /',
    '9: label has 0 spaces before it; the item above has 6',
  ],
  ['a field that stands twice', PAGE, 'hue: teal', 'hue: teal\nhue: sky', '6: hue stands here twice: keep one'],
  [
    'bold words that are not closed',
    PAGE,
    'A **light** kite',
    'A **light kite',
    '20: description: ** has no partner: bold words are **bold**, without a space inside the marks',
  ],
  [
    'a space between words and address of a link',
    PAGE,
    '[you fly](/)',
    '[you fly] (/)',
    '11: lead: ] (/) is no link: write [words](/address), without a space between',
  ],
  [
    'an icon by a name that it does not have',
    PAGE,
    'icon: lightbulb',
    'icon: light-bulb',
    '18: icon: "light-bulb" is no icon, did you mean "lightbulb"?',
  ],
  [
    'a picture with its ending',
    PAGE,
    'image: team/team-meeting',
    'image: team/team-meeting.svg',
    '27: image: "team/team-meeting.svg" is not in content/images/, did you mean "team/team-meeting"?',
  ],
  [
    'no serviceOption on a page of a service',
    PAGE,
    /^serviceOption: .*\n/m,
    '',
    '1: serviceOption is missing: which service of the enquiry form is meant here? There are Kite Building, Kite Repair, Flying Lessons',
  ],
  [
    'too few keywords on a page of a service',
    PAGE,
    '  - paper kites\n',
    '',
    '37: keywords needs three items or more on the page of a service: the words by which people search for it',
  ],
  [
    'no serviceType on a page of a service',
    PAGE,
    /^serviceType: .*\n/m,
    '',
    '1: serviceType is missing: what search engines call this service, such as "Web development"',
  ],
  [
    'a link to the form of a service, on a page of none',
    'pages/home.yaml',
    'clients.',
    'clients.\n  actions:\n    - label: Ask\n      href: /contact?service',
    '10: href: /contact?service needs a serviceOption on this page',
  ],
  [
    'a service that the form does not offer',
    PAGE,
    'serviceOption: Kite Repair',
    'serviceOption: Kite Repiar',
    '36: serviceOption: "Kite Repiar" is no service of the enquiry form, did you mean "Kite Repair"?; wording.yaml has them all',
  ],
  [
    'a country by its letters',
    JOB,
    'country: Nepal',
    'country: UK',
    `5: country: "UK" is no country, write "${countries.of('GB')}"`,
  ],
  [
    'a country by its code',
    JOB,
    'country: Nepal',
    'country: za',
    `5: country: "za" is no country, write "${countries.of('ZA')}"`,
  ],
  [
    'a colon in the title of a job',
    JOB,
    'title: Kite Maker',
    'title: Maker: kites',
    "2: title has a colon within its text, which needs quotes: write title: 'Maker: kites'",
  ],
  [
    'a tab in the facts of a job',
    JOB,
    'town: Madurai',
    '\ttown: Madurai',
    '4: the line begins with a tab: use spaces, two for each step',
  ],
  [
    'a number sign in the facts of a job',
    JOB,
    'title: Kite Maker',
    'title: Kite Maker #2',
    '2: the text ends before "#2", which counts as a remark: put the whole text in quotes, or the remark on its own line',
  ],
  [
    'a day as people write it',
    JOB,
    'postedOn: 2026-01-31',
    'postedOn: 31.1.2026',
    '8: postedOn must be a date such as 2026-01-31',
  ],
  [
    'bold words in Markdown that are not closed',
    JOB,
    '- Fold',
    '- **Fold',
    '17: ** has no partner: bold words are **bold**, without a space inside the marks',
  ],
  [
    'a fact in Markdown that does not exist',
    JOB,
    '- Fold',
    '- Fold for {company.nam}',
    '17: {company.nam} is no fact of company.yaml, did you mean "company.name"?',
  ],
  [
    'a job without its text',
    JOB,
    /\nYou make[\s\S]*/,
    '',
    '11: a part that begins with a line "## ..." is missing below',
  ],
  [
    'a social network without https',
    'company.yaml',
    'https://x.com',
    'x.com',
    '13: href must be a complete address that begins with https://',
  ],
  [
    'words instead of a phone number',
    'company.yaml',
    /^phone: .*/m,
    'phone: ask us',
    '10: phone must be a phone number such as +91 44 5550 0123',
  ],
  [
    'two phone numbers in one',
    'company.yaml',
    /^phone: .*/m,
    'phone: +91 44 5550 0123 / 0124',
    '10: phone must be a phone number such as +91 44 5550 0123',
  ],
  [
    'a language with an underscore',
    'company.yaml',
    /^phone: .*/m,
    'phone: +91 00000 00000\nlanguage: de_DE',
    '11: language: "de_DE" is no known language: write its tag, such as de-DE',
  ],
  [
    'a language by its name',
    'company.yaml',
    /^phone: .*/m,
    'phone: +91 00000 00000\nlanguage: deutsch',
    '11: language: "deutsch" is no known language: write its tag, such as de-DE',
  ],
  [
    'a language from right to left',
    'company.yaml',
    /^phone: .*/m,
    'phone: +91 00000 00000\nlanguage: he-IL',
    '11: language: "he-IL" is written from right to left, for which the pages are not made',
  ],
  [
    'a rest of two merged versions',
    'company.yaml',
    'blurb: We build things.',
    '<<<<<<< HEAD\nblurb: We build.\n=======\nblurb: We make.\n>>>>>>> main',
    '4: this is a rest of two versions that were merged: keep one of them, and delete the lines of <<<, === and >>>',
  ],
])('reports %s in one line that says what to write', (_mistake, file, words, by, message) => {
  replace(file, words, by);
  expect(mistakes()).toContain(`content/${file}:${message}`);
  expect(mistakes()).toHaveLength(file === JOB && by === '' ? 2 : 1);
});

test.each([
  ['pages/Our-Team.yaml', 'rename it pages/our-team.yaml: small letters, digits and hyphens, and .yaml at its end'],
  ['pages/our team.yaml', 'rename it pages/our-team.yaml: small letters, digits and hyphens, and .yaml at its end'],
  ['pages/our-team.yml', 'rename it pages/our-team.yaml: small letters, digits and hyphens, and .yaml at its end'],
  ['jobs/tester.yaml', 'rename it jobs/tester.md: small letters, digits and hyphens, and .md at its end'],
])('reports the file name %s with the right one', (file, message) => {
  write(file, read(PAGE));
  expect(mistakes()).toEqual([`content/${file}:1: ${message}`]);
});

test('reports a wrong picture name once, and not also at the page that uses it', () => {
  write('images/team/Old-Meeting.svg', read('images/team/team-meeting.svg'));
  replace(PAGE, 'image: team/team-meeting', 'image: team/old-meeting');
  expect(mistakes()).toEqual([
    'content/images/team/Old-Meeting.svg:1: may have only small letters, digits, - and . in its name: rename it team/old-meeting.svg',
  ]);
});

describe('the texts that a copied page shares with the original', () => {
  const lines = [
    '2: name',
    '3: title',
    '4: description',
    '8: hero.heading',
    '9: hero.lead',
    '37: keywords',
    '41: serviceType',
  ];
  const expected = (file: string, other: string) =>
    lines.map((line) => `content/${file}:${line} is the same as in content/${other}: change one of the two`);
  const COPIES = ['pages/services/boats.yaml', 'pages/services/strings.yaml'];
  const git = (...command: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@fernwood.example', ...command], { cwd: folder });

  test('are reported in both, without a history', () => {
    write('pages/services/strings.yaml', read(PAGE));
    expect(mistakes()).toEqual([...expected(PAGE, COPIES[1] ?? ''), ...expected(COPIES[1] ?? '', PAGE)]);
  });

  describe('with a history', () => {
    beforeAll(() => {
      git('init', '--quiet', '--separate-git-dir', join(makeTemporaryFolder(), 'git'));
      git('add', '.');
      git('commit', '--quiet', '--message', 'Begin', '--date', '2026-01-01');
    });

    test.each(COPIES)('are reported in the copy that git does not know > %s', (copy) => {
      write(copy, read(PAGE));
      expect(mistakes()).toEqual(expected(copy, PAGE));
    });

    test.each(COPIES)('are reported in the file that changed > %s', (copy) => {
      write(copy, read(PAGE));
      git('add', copy);
      git('commit', '--quiet', '--message', 'Copy');
      replace(PAGE, '# A comment', '# Another comment');
      expect(mistakes()).toEqual(expected(PAGE, copy));
      git('rm', '--cached', '--quiet', copy);
      git('commit', '--quiet', '--message', 'Delete');
    });
  });
});

test('reports a mistake in company.yaml only once, and not in the files that use it', () => {
  replace('company.yaml', 'name: Fernwood', 'name: Fernwood: kites');
  expect(mistakes()).toEqual([
    "content/company.yaml:1: name has a colon within its text, which needs quotes: write name: 'Fernwood: kites'",
  ]);
});

test.each([
  ['a service twice', '- Kite Repair', '- Kite Building', 'options[1] is "Kite Building", which is here twice'],
  ['a service without a name', '- Kite Repair', '-', 'options[1] is missing'],
  [
    'services in a sentence',
    /options:(?:\n +- .*)+/,
    'options: Kite Building',
    'options must be a list, each item on a line that begins with "- "',
  ],
])('list of services > reports %s', (_mistake, words, by, message) => {
  const line = lineIn('wording.yaml', words);
  replace('wording.yaml', words, by);
  expect(mistakes()).toEqual([`content/wording.yaml:${line}: forms.contact.fields.service.${message}`]);
});

test('reminds of a position from two weeks before it closes', () => {
  replace(PAGE, '/careers/kite-maker', '/');
  expect(reminders({ today: '2027-01-16' })).toEqual([]);
  const soon = `content/${JOB}:9: the position closes on 2027-01-31, and a build after that day leaves it out`;
  for (const today of ['2027-01-17', '2027-01-31']) {
    expect(reminders({ today })).toEqual([soon]);
    expect(load({ today }).jobs).toMatchObject([{ slug: 'kite-maker' }]);
  }
  expect(reminders({ today: '2027-02-01' })).toEqual([
    `content/${JOB}:9: the position closed on 2027-01-31 and is left out: delete the file, or change applyBy`,
  ]);
  expect(load({ today: '2027-02-01' }).jobs).toEqual([]);
});

test('reports a link to a closed position with the reason', () => {
  expect(mistakes({ today: '2027-02-01' })).toEqual([
    `content/${PAGE}:33: href: /careers/kite-maker leads to a position that closed on 2027-01-31`,
  ]);
});

test('reminds of placeholders in company.yaml > when the build is for a real domain', () => {
  expect(reminders()).toEqual([]);
  const settings = { SITE_URL: 'https://fernwood.com', HR_INBOX: 'people@fernwood.com' };
  expect(reminders({ settings })).toEqual(
    [
      '8: "hello@fernwood.example"',
      '10: "+91 00000 00000"',
      '13: "https://x.com/fernwood_example"',
      '17: "0 Example Street"',
      '19: "000000"',
    ].map((standIn) => `content/company.yaml:${standIn} is still a stand-in: write the company's own`),
  );
});

test('reminds of a title that search results cut, with its length', () => {
  replace(PAGE, 'title: Kites of paper', 'title: Kites of paper, silk and string for every wind and every age');
  expect(reminders()).toEqual([
    `content/${PAGE}:3: title has 71 letters with the facts in it, and a list of results shows about 65`,
  ]);
});

test('reminds of a page that only the sitemap links to', () => {
  write(
    'pages/strings.yaml',
    read('pages/404.yaml')
      .replaceAll('Not found', 'Strings')
      .replace('Page not found', 'Strings of kites')
      .replace('There is no', 'There is a')
      .replace('Go [home]', 'Go [home now]'),
  );
  expect(reminders()).toEqual([
    'content/pages/strings.yaml:1: no menu, footer, card or button leads to /strings; visitors find it on /sitemap only',
  ]);
  remove('pages/strings.yaml');
});

test('reports a fact in the words of a form, which visitors would see in braces', () => {
  replace(
    'wording.yaml',
    'failedDetail: Please try again later.',
    'failedDetail: Call {company.name}, or write to {email}.',
  );
  expect(mistakes()).toEqual([
    `content/wording.yaml:${lineIn('wording.yaml', 'failedDetail: Call')}: forms.contact.failedDetail has {company.name}, which is no fact or place here; its places are {email}`,
  ]);
});

test('fills the figures into the words of a form', () => {
  replace('wording.yaml', 'failedDetail: Please try again later.', "failedDetail: '{figures.clients} are waiting.'");
  expect(JSON.stringify(load().wording)).toContain('4+ are waiting.');
  replace('wording.yaml', '{figures.clients}', '{figures.client}');
  expect(mistakes()).toEqual([
    expect.stringContaining('forms.contact.failedDetail has {figures.client}, which is no fact or place here'),
  ]);
});

test.each<[string, words: string | RegExp, by: string, message: RegExp]>([
  ['a missing word', /^ {2}noBody: .*\n/m, '', /:\d+: errors\.noBody is missing$/],
  [
    'a place of another word',
    'takes {methods}',
    'takes {methods} {min}',
    /:\d+: errors\.method has \{min\}, which is no/,
  ],
  ['a fact of the company', 'has no body.', 'has {company.name}.', /:\d+: errors\.noBody has \{company\.name\}, which/],
  ['a place in a word of the site', 'skip: Skip', 'skip: Skip {count}', /:\d+: frame\.skip has \{count\}, which is no/],
  ['a mark', 'skip: Skip', 'skip: <b>Skip</b>', /:\d+: frame\.skip: <b>/],
])('reports in the words of the service > %s', (_what, words, by, message) => {
  const line = lineIn('wording.yaml', words);
  replace('wording.yaml', words, by);
  const found = mistakes();
  expect(found.at(-1)).toMatch(message);
  // A missing word is reported at its group.
  if (by !== '') expect(found.at(-1)).toContain(`content/wording.yaml:${line}:`);
});
