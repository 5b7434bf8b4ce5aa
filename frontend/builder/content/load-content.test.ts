import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { LOCALE } from '../../../form-service/src/contract/locale.ts';
import { formatCalendarDate } from '../../src/components/ui/calendar-date.ts';
import { contentCopy } from '../../test/content-copy.ts';
import { CONTENT } from '../paths.ts';
import { loadContent } from './load-content.ts';

const { load, mistakes, read, remove, replace, write } = contentCopy();

const JOB = 'jobs/kite-maker.md';
const KITES = 'pages/services/kites.yaml';

describe('reports with file, line and what to write', () => {
  test.each<[string, file: string, words: string | RegExp, by: string, message: string]>([
    ['a missing field', KITES, /^title: .*\n/m, '', 'content/pages/services/kites.yaml:2: title is missing'],
    ['a field without a value', KITES, /^name: .*/m, 'name:', 'content/pages/services/kites.yaml:2: name is missing'],
    [
      'a surplus field, with the nearest name',
      KITES,
      'kicker: Paper',
      'kiker: Paper',
      'content/pages/services/kites.yaml:7: kiker is no field here, did you mean "kicker"?',
    ],
    [
      'a list where text belongs',
      KITES,
      'kicker: Paper',
      'kicker: [Paper]',
      'content/pages/services/kites.yaml:7: kicker must be text; put it in quotes if it begins with { or [, or has a colon',
    ],
    [
      'a fact in braces without quotes',
      KITES,
      "title: '{figures.clients} clients'",
      'title: {figures.clients}',
      'content/pages/services/kites.yaml:21: title must be text; put it in quotes if it begins with { or [, or has a colon',
    ],
    [
      'text where a list belongs',
      'navigation.yaml',
      'footer:\n  - main',
      'footer: main',
      'content/navigation.yaml:15: footer must be a list, each item on a line that begins with "- "',
    ],
    [
      'a kind of section that does not exist',
      KITES,
      'kind: cta',
      'kind: ctaa',
      'content/pages/services/kites.yaml:29: kind: "ctaa" is no kind of section, did you mean "cta"?',
    ],
    [
      'an unknown icon, with the nearest name',
      KITES,
      'icon: lightbulb',
      'icon: lightbulp',
      'content/pages/services/kites.yaml:18: icon: "lightbulp" is no icon, did you mean "lightbulb"?',
    ],
    [
      'an unknown colour',
      KITES,
      'hue: teal',
      'hue: teel',
      'content/pages/services/kites.yaml:5: hue: "teel" is no colour of brand.yaml, did you mean "teal"?',
    ],
    [
      'a picture that does not exist',
      KITES,
      'image: team/team-meeting',
      'image: team/team-meting',
      'content/pages/services/kites.yaml:27: image: "team/team-meting" is not in content/images/, did you mean "team/team-meeting"?',
    ],
    [
      'a picture without a text for those who do not see it',
      KITES,
      / {6}alt: .*\n/,
      '',
      'content/pages/services/kites.yaml:26: alt is missing: say what the picture shows, or write "" if it only decorates',
    ],
    [
      'a picture whose text was forgotten',
      KITES,
      /alt: .*/,
      'alt:',
      'content/pages/services/kites.yaml:28: alt is missing: say what the picture shows, or write "" if it only decorates',
    ],
    [
      'a description that search engines would cut',
      KITES,
      'The page of a service',
      `The ${'very '.repeat(20)}good page of a service`,
      'content/pages/services/kites.yaml:4: description must have at most 160 letters, or search engines cut it',
    ],
    [
      'a fact that company.yaml does not have',
      KITES,
      '{figures.clients}',
      '{figures.client}',
      'content/pages/services/kites.yaml:21: {figures.client} is no fact of company.yaml, did you mean "figures.clients"?',
    ],
    [
      'a link to no page',
      KITES,
      '/careers/kite-maker',
      '/careers/kite-makr',
      'content/pages/services/kites.yaml:33: href: /careers/kite-makr leads to no page of this site, did you mean "/careers/kite-maker"?',
    ],
    [
      'a link to no anchor',
      KITES,
      "'#points'",
      "'#point'",
      'content/pages/services/kites.yaml:35: href: #point leads to no anchor of /services/kites, did you mean "points"?',
    ],
    [
      'a link within a sentence to no page',
      KITES,
      '/privacy#use',
      '/privcy',
      'content/pages/services/kites.yaml:11: lead: /privcy leads to no page of this site, did you mean "/privacy"?',
    ],
    [
      'a link within a sentence to no anchor',
      KITES,
      '/privacy#use',
      '/privacy#uses',
      'content/pages/services/kites.yaml:11: lead: /privacy#uses leads to no anchor of /privacy, did you mean "use"?',
    ],
    [
      'a link that runs a script',
      KITES,
      '[you fly](/)',
      '[you fly](javascript:alert)',
      'content/pages/services/kites.yaml:11: lead: javascript:alert must begin with /, #, https://, mailto: or tel:',
    ],
    [
      'a link without words',
      KITES,
      '[you fly](/)',
      '[](/)',
      'content/pages/services/kites.yaml:9: lead: the link has no words',
    ],
    [
      'HTML within a sentence',
      KITES,
      '[you fly](/)',
      '<br>you fly',
      'content/pages/services/kites.yaml:11: lead: <br> is HTML: write the words',
    ],
    [
      'a day that is none',
      JOB,
      'postedOn: 2026-01-31',
      'postedOn: 31 January 2026',
      'content/jobs/kite-maker.md:8: postedOn must be a date such as 2026-01-31',
    ],
    [
      'a day that no month has',
      JOB,
      'postedOn: 2026-01-31',
      'postedOn: 2025-02-30',
      'content/jobs/kite-maker.md:8: postedOn must be a date such as 2026-01-31',
    ],
    [
      'a job that ends before it begins',
      JOB,
      'applyBy: 2027',
      'applyBy: 2025',
      'content/jobs/kite-maker.md:9: applyBy must be later than postedOn',
    ],
    [
      'a country that does not exist',
      JOB,
      'country: Nepal',
      'country: Nepel',
      'content/jobs/kite-maker.md:5: country: "Nepel" is no country, did you mean "Nepal"?',
    ],
    ['HTML in Markdown', JOB, 'care', '<br>care', 'content/jobs/kite-maker.md:19: <br> is HTML: write the words'],
    [
      'a block of HTML in Markdown',
      JOB,
      '## What you do',
      '<div>x</div>\n\n## What you do',
      'content/jobs/kite-maker.md:15: <div> is HTML: write the words',
    ],
    [
      'a script in a link of Markdown',
      JOB,
      'Fold',
      '[Fold](javascript:x)',
      'content/jobs/kite-maker.md:17: javascript:x must begin with /, #, https://, mailto: or tel:',
    ],
    [
      'a heading that is not "## "',
      JOB,
      '## What',
      '### What',
      'content/jobs/kite-maker.md:15: a heading begins with "## ", and one below it with "### "',
    ],
    [
      'a Markdown file without its facts',
      JOB,
      /^---\n[\s\S]*?---\n/,
      '',
      'content/jobs/kite-maker.md:1: must begin with its facts between two lines of ---',
    ],
    [
      'a group of links that does not exist',
      'pages/home.yaml',
      '- menu',
      '- menue',
      'content/pages/home.yaml:13: groups: "menue" is no group of navigation.yaml, did you mean "menu"?',
    ],
    [
      'deliverables of steps that are one paragraph',
      KITES,
      /^  - kind: features$/m,
      [
        '  - kind: process',
        '    heading: Steps',
        '    shape: paragraph',
        '    steps:',
        '      - { step: 01, title: Fly, description: It flies., deliverables: [A kite] }',
        '',
        '  - kind: features',
      ].join('\n'),
      'content/pages/services/kites.yaml:13: sections has deliverables, for which a paragraph has no place: choose another shape',
    ],
  ])('%s', (_case, file, words, by, message) => {
    replace(file, words, by);
    expect(mistakes()).toEqual([message]);
  });

  test('YAML that cannot be read', () => {
    replace(KITES, 'hue: teal', 'hue: "teal');
    expect(mistakes()).toEqual([expect.stringMatching(/^content\/pages\/services\/kites\.yaml:\d+: \S/)]);
  });

  test('a picture that is too small for its place', async () => {
    write(
      'images/small.png',
      await sharp({ create: { width: 900, height: 300, channels: 3, background: '#0b6fb3' } })
        .png()
        .toBuffer(),
    );
    replace(KITES, 'image: team/team-meeting', 'image: small');
    expect(mistakes()).toEqual([
      'content/pages/services/kites.yaml:27: image: "small" is 900 pixels wide, too few for this place: use 1200 or more',
    ]);
  });

  test('a picture that is too flat for the first screen and for a page that is shared', async () => {
    write(
      'images/flat.png',
      await sharp({ create: { width: 2000, height: 600, channels: 3, background: '#0b6fb3' } })
        .png()
        .toBuffer(),
    );
    replace(KITES, 'hero:', 'hero:\n  picture: { image: flat, alt: Kites }');
    expect(mistakes()).toEqual([
      'content/pages/services/kites.yaml:7: image: "flat" is 2000 by 600 pixels, too flat for this place: cut it to at most 1.9 times as wide as high',
    ]);
  });

  test('a picture that cannot be read', () => {
    write('images/notes.txt', 'no picture');
    expect(mistakes()).toEqual([
      'content/images/notes.txt:1: cannot be read as a picture: export it again as PNG, JPEG, WebP or SVG',
    ]);
  });

  test('a file that is not UTF-8', () => {
    write(KITES, Buffer.from('name: Kites\ntitle: \xdcber uns\n', 'latin1'));
    expect(mistakes()).toEqual(['content/pages/services/kites.yaml:2: is not UTF-8: save it with that encoding']);
  });

  test.each([
    [
      'pages/privacy.yaml',
      'content/pages/privacy.yaml:1: has the address /privacy, which content/legal/privacy.md has too',
    ],
    ['pages/index.yaml', 'content/pages/index.yaml:1: has the address /, which content/pages/home.yaml has too'],
    [
      'pages/api.yaml',
      'content/pages/api.yaml:1: has the address /api, which belongs to the server: choose another name',
    ],
  ])('a page %s, whose address is taken', (file, message) => {
    write(file, read(KITES));
    expect(mistakes()).toContain(message);
  });

  test('a file that is of no kind', () => {
    write('pages/News & more.yml', 'name: News');
    write('about.yaml', 'name: About');
    expect(mistakes()).toEqual([
      expect.stringMatching(/^content\/about\.yaml:1: belongs to nothing: /),
      expect.stringMatching(/^content\/pages\/News & more\.yml:1: rename it pages\/news-more\.yaml: /),
    ]);
  });

  test('a file that the site needs', () => {
    remove('pages/404.yaml');
    expect(mistakes()).toEqual(['content/pages/404.yaml:1: is missing']);
  });
});

test('reports the mistakes of all files at once, sorted by file and line', () => {
  replace(KITES, 'icon: lightbulb', 'icon: lightbulp');
  replace(KITES, 'hue: teal', 'hue: red');
  replace(JOB, 'country: Nepal', 'country: Nepel');
  expect(mistakes().map((message) => message.split(' ')[0])).toEqual([
    'content/jobs/kite-maker.md:5:',
    'content/pages/services/kites.yaml:5:',
    'content/pages/services/kites.yaml:18:',
  ]);
});

test('includes a draft only on request, and rejects links to it', () => {
  replace(JOB, '---\n', '---\ndraft: true\n');
  expect(load({ drafts: true }).jobs).toHaveLength(1);
  expect(mistakes()).toEqual([expect.stringContaining('/careers/kite-maker leads to a draft')]);
  replace(KITES, '/careers/kite-maker', '/');
  expect(load().jobs).toEqual([]);
});

test('sorts jobs by date, newest first, each with the code of its country', () => {
  const job = read(JOB).replace('Nepal', 'Japan').replace('2026-01-31', '2026-02-01');
  write('jobs/kite-tester.md', job);
  expect(load().jobs.map(({ slug, countryCode }) => [slug, countryCode])).toEqual([
    ['kite-tester', 'JP'],
    ['kite-maker', 'NP'],
  ]);
});

test('makes the page of a position from its facts and the template', () => {
  const page = load().pages.find(({ path }) => path === '/careers/kite-maker');
  expect(page).toMatchObject({
    title: 'Kite Maker, Madurai, Nepal | Fernwood',
    hero: { heading: 'Kite Maker', kicker: 'Workshop' },
    job: { slug: 'kite-maker', body: { lead: [{ text: ['You make kites of paper.'] }] } },
  });
  const section = page?.sections.find(({ kind }) => kind === 'job');
  expect(section).toMatchObject({
    job: { title: 'Kite Maker' },
    facts: [{}, {}, { value: formatCalendarDate('2026-01-31') }, {}],
  });
});

test('names the country of a remote position in place of a town', () => {
  replace(JOB, 'town: Madurai', 'remote: yes');
  expect(load().jobs[0]).toMatchObject({ location: 'Remote (Nepal)' });
});

test('reports the mistakes of the template once, also without a position', () => {
  replace('pages/job.yaml', '{job.department}', '{job.departmnt}');
  const message = /^content\/pages\/job\.yaml:10: \{job\.departmnt\} is no fact .* "job\.department"\?$/;
  expect(mistakes()).toEqual([expect.stringMatching(message)]);
  remove(JOB);
  replace(KITES, '/careers/kite-maker', '/');
  expect(mistakes()).toEqual([expect.stringMatching(message)]);
});

test('names the position that makes a text of the template too long', () => {
  replace(JOB, 'experience: 2 years', `experience: ${'many '.repeat(20)}years`);
  expect(mistakes()).toEqual([
    'content/pages/job.yaml:5: description must have at most 160 letters, or search engines cut it (with the facts of content/jobs/kite-maker.md)',
  ]);
});

test('loads a site without positions', () => {
  remove(JOB);
  replace(KITES, '/careers/kite-maker', '/');
  expect(load()).toMatchObject({ jobs: [], reminders: [] });
});

test('uses the inboxes and the host of the operator everywhere', () => {
  const { company, ...rest } = load({
    settings: { SITE_URL: 'https://firm.example/', SALES_INBOX: 'sales@firm.example', HR_INBOX: 'jobs@firm.example' },
  });
  expect(company).toMatchObject({
    host: 'https://firm.example',
    email: 'sales@firm.example',
    careersEmail: 'jobs@firm.example',
    securityEmail: 'security@firm.example',
  });
  expect(JSON.stringify([company, rest])).not.toContain('@fernwood.example');
});

test.each([
  ['', 30],
  ['90', 90],
  ['1', 1],
])('states RETENTION_DAYS=%s in the privacy policy', (setting, days) => {
  const inWords = new Intl.NumberFormat(LOCALE, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(days);
  expect(JSON.stringify(load({ settings: { RETENTION_DAYS: setting } }).pages)).toContain(
    ` ${inWords} after delivery.`,
  );
});

test('has the company name in company.yaml and no other content file', () => {
  const { company } = loadContent(CONTENT);
  const others = readdirSync(CONTENT, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(?:yaml|md)$/.test(file) && file !== 'company.yaml',
  );
  expect(others.length).toBeGreaterThan(3);
  expect(others.filter((file) => readFileSync(join(CONTENT, file), 'utf8').includes(company.name))).toEqual([]);
});

test('uses only the straight apostrophe of the keyboard', () => {
  const files = readdirSync(CONTENT, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(?:yaml|md|svg)$/.test(file),
  );
  expect(files.filter((file) => readFileSync(join(CONTENT, file), 'utf8').includes('’'))).toEqual([]);
});

test.each([
  ['an amount', '', (amount: Intl.NumberFormat) => amount.format(18.5)],
  ['a range', '  max: 20\n', (amount: Intl.NumberFormat) => amount.formatRange(18.5, 20)],
])('writes a salary in the language of the company > %s', (_kind, max, expected) => {
  replace(JOB, '---\n\n', `salary:\n  currency: EUR\n  min: 18.50\n${max}  unit: hour\n---\n\n`);
  const { jobs, wording } = load();
  const amount = new Intl.NumberFormat(LOCALE, {
    style: 'currency',
    currency: 'EUR',
    trailingZeroDisplay: 'stripIfInteger',
  });
  expect(jobs[0]?.salaryText).toBe(`${expected(amount)} ${wording.salaryUnits.hour}`);
});

test('reads a company without social networks', () => {
  replace('company.yaml', /social:\n(?: .*\n)+/, '');
  expect(load().company.social).toBeUndefined();
});
