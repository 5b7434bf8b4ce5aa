import { expect, test } from '@jest/globals';
import { contentCopy } from '../../test/content-copy.ts';

/** Typical mistakes of people who do not program, each with the one message that it causes. */

const { load, mistakes, read, reminders, replace, write } = contentCopy();

const JOB = 'jobs/kite-maker.md';
const PAGE = 'pages/services/kites.yaml';
const lineIn = (file: string, words: string | RegExp) =>
  read(file).slice(0, read(file).search(words)).split('\n').length;

test.each<[string, file: string, words: string | RegExp, by: string, line: number]>([
  ['a colon in a heading', PAGE, 'heading: Points', 'heading: Our points: three', 15],
  ['a colon in an item of a list', PAGE, '- One.', '- One: two.', 25],
  ['a word in quotes at the beginning', PAGE, 'heading: Points', "heading: 'Our' points", 15],
  ['an apostrophe within quotes', PAGE, 'heading: Points', "heading: 'It's ours'", 15],
  ['a quote that does not end', PAGE, 'heading: Points', 'heading: "Points', 42],
  ['a fact at the beginning of a heading', PAGE, 'heading: Points', 'heading: {company.name} points', 15],
  ['an unknown kind of kite', PAGE, 'hue: teal', 'hue: teal\nkite:\n  kind: edy', 7],
  ['a kite without a kind', PAGE, 'hue: teal', 'hue: teal\nkite:\n  name: Eddy', 6],
  ['a fact that is the whole heading', PAGE, 'heading: Points', 'heading: {company.name}', 15],
  ['a link at the beginning', PAGE, 'kicker: Paper', 'kicker: [Paper](/) first', 7],
  ['stressed words at the beginning', PAGE, 'description: A **light**', 'description: **A light**', 20],
  ['an @ at the beginning', PAGE, 'kicker: Paper', 'kicker: @paper', 7],
  ['a tab', PAGE, '  kicker: Paper', '\tkicker: Paper', 7],
  ['a space too many', PAGE, '  heading: Kites', '   heading: Kites', 7],
  ['a space too few', PAGE, '  heading: Kites', ' heading: Kites', 8],
  ['no space after the colon', PAGE, 'kicker: Paper', 'kicker:Paper', 7],
  ['a number sign in a sentence', PAGE, 'heading: Points', 'heading: We are #1 in Madurai', 15],
  ['a text that goes on in the next line', PAGE, 'heading: Points', 'heading: Points\nand more', 16],
  ['an item that stands further right', PAGE, '      - One.', '      - One.\n       - Two.', 26],
  [
    'an item that was pasted without its spaces',
    'navigation.yaml',
    'description: From paper',
    'description: From paper\n- label: Strings\n  href: /',
    9,
  ],
  ['a field that stands twice', PAGE, 'hue: teal', 'hue: teal\nhue: sky', 6],
  ['bold words that are not closed', PAGE, 'A **light** kite', 'A **light kite', 20],
  ['a space between words and address of a link', PAGE, '[you fly](/)', '[you fly] (/)', 11],
  ['an icon by a name that it does not have', PAGE, 'icon: lightbulb', 'icon: light-bulb', 18],
  ['a picture with its ending', PAGE, 'image: team/team-meeting', 'image: team/team-meeting.svg', 27],
  ['no serviceOption on a page of a service', PAGE, /^serviceOption: .*\n/m, '', 1],
  ['too few keywords on a page of a service', PAGE, '  - paper kites\n', '', 37],
  ['no serviceType on a page of a service', PAGE, /^serviceType: .*\n/m, '', 1],
  [
    'a link to the form of a service, on a page of none',
    'pages/home.yaml',
    'clients.',
    'clients.\n  actions:\n    - label: Ask\n      href: /contact?service',
    10,
  ],
  ['a service that the form does not offer', PAGE, 'serviceOption: Kite Repair', 'serviceOption: Kite Repiar', 36],
  ['a country by its letters', JOB, 'country: Nepal', 'country: UK', 5],
  ['a country by its code', JOB, 'country: Nepal', 'country: za', 5],
  ['a colon in the title of a job', JOB, 'title: Kite Maker', 'title: Maker: kites', 2],
  ['a tab in the facts of a job', JOB, 'town: Madurai', '\ttown: Madurai', 4],
  ['a number sign in the facts of a job', JOB, 'title: Kite Maker', 'title: Kite Maker #2', 2],
  ['a day as people write it', JOB, 'postedOn: 2026-01-31', 'postedOn: 31.1.2026', 8],
  ['bold words in Markdown that are not closed', JOB, '- Fold', '- **Fold', 17],
  ['a fact in Markdown that does not exist', JOB, '- Fold', '- Fold for {company.nam}', 17],
  ['a job without its text', JOB, /\nYou make[\s\S]*/, '', 11],
  ['a social network without https', 'company.yaml', 'https://x.com', 'x.com', 13],
  ['words instead of a phone number', 'company.yaml', /^phone: .*/m, 'phone: ask us', 10],
  ['two phone numbers in one', 'company.yaml', /^phone: .*/m, 'phone: +91 44 5550 0123 / 0124', 10],
  ['a language with an underscore', 'company.yaml', /^phone: .*/m, 'phone: +91 00000 00000\nlanguage: de_DE', 11],
  ['a language by its name', 'company.yaml', /^phone: .*/m, 'phone: +91 00000 00000\nlanguage: deutsch', 11],
  ['a language from right to left', 'company.yaml', /^phone: .*/m, 'phone: +91 00000 00000\nlanguage: he-IL', 11],
  [
    'a rest of two merged versions',
    'company.yaml',
    'blurb: We build things.',
    '<<<<<<< HEAD\nblurb: We build.\n=======\nblurb: We make.\n>>>>>>> main',
    4,
  ],
])('reports %s in one line that says what to write', (_mistake, file, words, by, line) => {
  replace(file, words, by);
  expect(mistakes()).toContainEqual(expect.stringContaining(`content/${file}:${line}: `));
  expect(mistakes()).toHaveLength(file === JOB && by === '' ? 2 : 1);
});

test.each<[string, words: string, by: string, message: string]>([
  [
    'a colon',
    'heading: Points',
    'heading: Our points: three',
    '15: Our points: three needs quotes around the whole text',
  ],
  ['a tab', '  kicker: Paper', '\tkicker: Paper', '7: the line begins with a tab: use spaces, two for each step'],
  ['a field twice', 'hue: teal', 'hue: teal\nhue: sky', '6: this field stands here twice: keep one'],
  ['an icon', 'icon: lightbulb', 'icon: light-bulb', '18: icon: "light-bulb" is no icon, did you mean "lightbulb"?'],
  ['a fact', '{figures.clients}', '{figures.client}', '21: {figures.client} is no fact of company.yaml, did you mean'],
])('says what to write > %s', (_mistake, words, by, message) => {
  replace(PAGE, words, by);
  expect(mistakes()[0]).toContain(`content/${PAGE}:${message}`);
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

test('reports a mistake in company.yaml only once, and not in the files that use it', () => {
  replace('company.yaml', 'name: Fernwood', 'name: Fernwood: kites');
  expect(mistakes()).toEqual([expect.stringContaining('content/company.yaml:1: Fernwood: kites needs quotes')]);
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
    [8, 10, 13, 17, 19].map((line) => expect.stringMatching(`^content/company.yaml:${line}: .* is still a stand-in`)),
  );
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
