import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { LOCALE } from '../../../form-service/src/contract/locale.ts';
import { formatCalendarDate } from '../../src/components/ui/calendar-date.ts';
import { contentCopy } from '../../test/content-copy.ts';
import { CONTENT } from '../paths.ts';
import { loadContent } from './load-content.ts';

const { load, mistakes, read, reminders, replace, write } = contentCopy();

const JOB = 'jobs/android-entwicklung.md';
const PAGE = 'pages/services/individualsoftware.yaml';
const LINK = 'href: /careers/android-entwicklung';
const pathsOf = (options = {}) => load(options).pages.map(({ path }) => path);
const png = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#0b6fb3' } })
    .png()
    .toBuffer();

describe('a draft', () => {
  test.each(['true', 'Yes', 'on', '1', '[true]'])('is on the site on request only > draft: %s', (spelling) => {
    write(PAGE, `draft: ${spelling}\n${read(PAGE)}`);
    replace('navigation.yaml', /.*individualsoftware\n/, '        href: /services\n');
    replace('pages/home.yaml', '/services/individualsoftware', '/services');
    replace(JOB, '---\n', `---\ndraft: ${spelling}\n`);
    expect([pathsOf().length, load().jobs]).toEqual([8, []]);
    expect([pathsOf({ drafts: true }).length, load({ drafts: true }).jobs.length]).toEqual([10, 1]);
  });

  test.each(['false', 'no', 'off', '0'])('is none > draft: %s', (spelling) => {
    replace(JOB, '---\n', `---\ndraft: ${spelling}\n`);
    expect(load().jobs).toHaveLength(1);
  });

  test.each(['ja', 'ture', ''])('is a mistake > draft: %s', (spelling) => {
    write(PAGE, `draft: ${spelling}\n${read(PAGE)}`);
    expect(mistakes()[0]).toMatch(/individualsoftware\.yaml:1: draft (?:must be true or false|is missing)$/);
  });

  test.each(['pages/home.yaml', 'pages/404.yaml', 'pages/job.yaml'])('cannot be %s, which the site needs', (file) => {
    write(file, `draft: true\n${read(file)}`);
    expect(mistakes()).toContain(`content/${file}:1: draft cannot stand here: the site needs this file`);
  });

  test('stops no build by its own mistakes, and no link leads to it', () => {
    write('pages/neu.yaml', 'draft: yes\nname: Neu\nhue: teel\n');
    expect(mistakes()).toEqual([]);
    expect(mistakes({ drafts: true }).length).toBeGreaterThan(2);
    replace(PAGE, LINK, 'href: /neu');
    expect(mistakes()).toEqual([expect.stringContaining('href: /neu leads to a draft')]);
  });
});

describe('a position', () => {
  test('has a page of its facts and the template', () => {
    const page = load().pages.find(({ path }) => path === '/careers/android-entwicklung');
    expect(page).toMatchObject({
      title: expect.stringMatching(/^Entwicklung für Android \(m\/w\/d\), Kiel, /),
      hero: { kicker: 'Mobile Apps' },
      job: { countryCode: 'DE', body: { lead: [{ text: ['Sie entwickeln Apps, die jeden Tag im Einsatz sind.'] }] } },
    });
    const [section] = page?.sections ?? [];
    expect(section).toMatchObject({ facts: [{}, { value: formatCalendarDate('2026-01-31') }] });
  });

  test('names its country in place of a town > it is remote', () => {
    replace(JOB, 'town: Kiel', 'remote: yes');
    const country = new Intl.DisplayNames(LOCALE, { type: 'region' }).of('DE');
    expect(load().jobs[0]).toMatchObject({ location: `Homeoffice (${country})` });
  });

  test.each([
    ['an amount', /min: .*\n.*\n/, 'min: 18.50\n', (amount: Intl.NumberFormat) => amount.format(18.5)],
    ['a range', /$^/, '', (amount: Intl.NumberFormat) => amount.formatRange(52_000, 68_000)],
  ])('has its salary in the language of the company > %s', (_kind, words, by, expected) => {
    if (by) replace(JOB, words, by);
    const style = { style: 'currency', currency: 'EUR', trailingZeroDisplay: 'stripIfInteger' } as const;
    expect(load().jobs[0]?.salaryText).toBe(`${expected(new Intl.NumberFormat(LOCALE, style))} pro Jahr`);
  });

  test('is left out, and links to it are mistakes > after its last day', () => {
    expect(mistakes({ today: '2028-02-01' })).toEqual([
      `content/${PAGE}:33: ${LINK} leads to a position that closed on 2028-01-31`,
    ]);
    replace(PAGE, LINK, 'href: /');
    const of = (today: string) => [load({ today }).jobs.length, ...reminders({ today })];
    const place = `content/${JOB}:14: the position`;
    expect(of('2028-01-31')).toEqual([1]);
    expect(of('2028-02-01')).toEqual([
      0,
      `${place} closed on 2028-01-31 and is left out: delete the file, or change applyBy`,
    ]);
  });

  test('cannot have the name of a form', () => {
    write('jobs/application.md', read(JOB));
    expect(mistakes()).toContainEqual(expect.stringContaining('content/jobs/application.md:1: has the name of a part'));
  });

  test('has other anchors than the form on its page', () => {
    replace(JOB, '## Ihre Aufgaben', '## Experience');
    const section = load().pages.find(({ path }) => path === '/careers/android-entwicklung')?.sections[0];
    expect(section && 'job' in section && section.job.body.parts.map(({ id }) => id)).toEqual(['experience-2']);
  });
});

describe('the company', () => {
  test('has the mailboxes and the host of the operator everywhere', () => {
    const { company, ...rest } = load({
      settings: { SITE_URL: 'https://firm.example/', SALES_INBOX: 'sales@firm.example', HR_INBOX: 'jobs@firm.example' },
    });
    expect(company).toMatchObject({
      host: 'https://firm.example',
      email: 'sales@firm.example',
      careersEmail: 'jobs@firm.example',
      securityEmail: 'security@firm.example',
    });
    expect(JSON.stringify([company, rest])).not.toContain('@nordlicht-systems');
  });

  test.each([
    ['', 30],
    ['90', 90],
    ['1', 1],
  ])('states RETENTION_DAYS=%s in its privacy policy', (setting, days) => {
    const inWords = new Intl.NumberFormat(LOCALE, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(days);
    expect(JSON.stringify(load({ settings: { RETENTION_DAYS: setting } }).pages)).toContain(` ${inWords} nach der`);
  });

  test('is listed where it is still the example, on its own domain', () => {
    replace('company.yaml', /^phone: .*/m, 'phone: "+91 00000 00000"');
    const of = (host: string) => reminders({ settings: { SITE_URL: host } });
    expect(of('https://nordlicht.example')).toEqual([]);
    const line = 'content/company.yaml:12: "+91 00000 00000" is that of the example: write the company\'s own';
    expect(of('https://nordlicht.de')).toContain(line);
  });

  test.each(['18 000 €', '18.000 €', '$9,000', '+33 2 40 00 00 00'])(
    'is its own with groups of zeros > %s',
    (value) => {
      replace('company.yaml', 'experts: 64', `experts: '${value}'`);
      expect(reminders({ settings: { SITE_URL: 'https://nordlicht.de' } }).join('\n')).not.toContain(value);
    },
  );
});

test('words > are those of the example where they are missing, each with a reminder', () => {
  replace('wording.yaml', /^ {2}noBody: .*\n/m, '');
  const { reminders: all, wording } = load();
  const line = read('wording.yaml').split('\n').indexOf('errors:') + 1;
  expect(all).toContainEqual(
    expect.objectContaining({ line, message: 'errors.noBody is missing: readers see the words of the example' }),
  );
  expect(wording.frame.skip).toBe('Zum Inhalt springen');
});

test.each([
  ['small', 900, 300, /:27: image: "other" is 900 pixels wide, too few for this place: use 1200 or more$/],
  ['flat', 2000, 600, /:7: image: "other" is 2000 by 600 pixels, too flat for this place: cut it to at most 1.9 times/],
])('picture > is too %s for its place', async (what, width, height, message) => {
  write('images/other.png', await png(width, height));
  if (what === 'small') replace(PAGE, 'image: services/plan', 'image: other');
  else replace(PAGE, 'hero:', 'hero:\n  picture: { image: other, alt: Plan }');
  expect(mistakes()).toEqual([expect.stringMatching(message)]);
});

test('content files > have curly apostrophes, and name the company only in company.yaml', () => {
  const { company } = loadContent(CONTENT);
  const files = readdirSync(CONTENT, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(?:yaml|md|svg)$/.test(file),
  );
  const withText = (text: string) => files.filter((file) => readFileSync(join(CONTENT, file), 'utf8').includes(text));
  expect(files.length).toBeGreaterThan(3);
  expect(withText(company.name)).toEqual(['company.yaml']);
  expect(withText('’')).toEqual([]);
});
