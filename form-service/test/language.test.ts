import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PassThrough } from 'node:stream';
import { buffer, text as readText } from 'node:stream/consumers';
import { afterAll, expect, it } from '@jest/globals';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';

// The modules read the language when they are loaded.
const folder = makeTemporaryFolder();
for (const file of ['wording.yaml', 'brand.yaml', 'company.yaml'])
  copyFileSync(fileURLToPath(new URL(`../../frontend/content/${file}`, import.meta.url)), join(folder, file));
const company = readFileSync(join(folder, 'company.yaml'), 'utf8').replace(/^language: .*\n/m, '');
writeFileSync(join(folder, 'company.yaml'), `${company}language: de-DE\n`);
const words = readFileSync(join(folder, 'wording.yaml'), 'utf8');
const GERMAN = [
  ['last {count} days', 'Zeitraum {count} Tage'],
  ["labelled: '{label}: {value}'", "labelled: '{label} = {value}'"],
  ["spam: '{count} marked as spam.'", "spam: { one: '{count} markierte.', other: '{count} markierten.' }"],
] as const;
const german = GERMAN.reduce((text, [from, to]) => text.replace(from, to), words);
writeFileSync(join(folder, 'wording.yaml'), german);
process.env['CONTENT'] = folder;
afterAll(() => rmSync(folder, { recursive: true }));

const { MAIL_EXAMPLES, MAIL_SETTINGS } = await import('./mail-examples.ts');
const { applicationSubmission } = await import('./submissions.ts');
const { contact } = await import('../src/contract/forms/contact.ts');
const { serviceWords } = await import('../src/contract/service-words.ts');
const { writeCsv } = await import('../src/export/submission-table.ts');
const { dateText, listText, sizeText, timeText, zoneText } = await import('../src/html/format.ts');
const { HttpError } = await import('../src/http/http-error.ts');
const { listPage } = await import('../src/inbox/list-page.ts');
const { searchOf } = await import('../src/inbox/search.ts');
const { submissionPage } = await import('../src/inbox/submission-page.ts');
const { errorPage, formPage, sentPage } = await import('../src/intake/pages/pages.ts');
const { composeMessage } = await import('../src/mail/mailer.service.ts');
const { messagePage, readPage } = await import('../src/sign-in/page.ts');

const mailWords = serviceWords('mails');
const RECEIVED_AT = Date.parse('2025-12-04T16:42:00Z');
const frame = { company: 'Nordlicht', user: { name: 'pat', role: 'all', hash: 'oidc' as const } };
const base = applicationSubmission(Buffer.from('%PDF'), { receivedAt: RECEIVED_AT });
const found = [{ ...base, resume: { ...base.resume, size: 9_900_000 } }];

const search = searchOf({ forms: ['application', 'contact'] }, { state: 'all', days: '7' }, '');
const list = (spam = 0) =>
  listPage(
    frame,
    {
      search,
      waiting: [],
      waitingCount: 0,
      reminded: [],
      found,
      foundCount: 12_345,
      pages: 200,
    },
    {
      timeZone: 'UTC',
      newSince: 0,
      marked: spam > 0 ? { handled: 'spam', count: spam, at: 0 } : undefined,
      isSelected: false,
      counts: new Map(),
      labels: [],
    },
  );
const submission = () =>
  found.map((one) =>
    submissionPage(frame, one, {
      notifications: [],
      others: 0,
      search,
      neighbours: { rows: [], newer: undefined, older: undefined },
      marked: undefined,
      settings: { ...MAIL_SETTINGS, RETENTION_DAYS: 30, INBOX_LABELS: new Map() },
    }),
  )[0] ?? '';

const PAGES: Readonly<Record<string, () => string>> = {
  'a sent form': () => sentPage('Nordlicht', contact, 'KW-1'),
  'an error of a form': () => errorPage('Nordlicht', contact, new HttpError('not-found', '')),
  'a form with mistakes': () => formPage('Nordlicht', contact, new HttpError('invalid', ''), {}),
  'the list of the inbox': () => list(),
  'a submission': submission,
  'a sentence of the sign-in': () => messagePage(frame, 'Abgelaufen'),
  'the sign-in': () =>
    readPage('sign-in', new URL('../src/sign-in/page.ts', import.meta.url).href)(
      { company: 'Nordlicht', user: undefined },
      {
        title: '',
        name: '',
        error: '',
        notice: '',
        to: '/inbox',
        single: false,
        hasPasswords: true,
        hasBoth: false,
      },
    ),
  ...Object.fromEntries(Object.entries(MAIL_EXAMPLES).map(([name, { html }]) => [`the mail ${name}`, () => html])),
};

/** Dates, numbers and sizes as English writes them. */
const ENGLISH =
  /\b(?:Mon|Tues?|Wed(?:nes)?|Thur?s?|Fri|Sat(?:ur)?|Sun)(?:day)?,? \d|\d (?:Oct|Nov|Dec)|\d\.\d [kM]B|\d,\d{3}\b(?!%)/;

it.each(Object.keys(PAGES))('de-DE > reaches %s', (name) => {
  const html = PAGES[name]?.() ?? '';
  expect(html.match(/\blang="[^"]*"/g)).toEqual(['lang="de-DE"']);
  expect(ENGLISH.exec(html)?.[0]).toBeUndefined();
});

it('de-DE > reaches dates, sizes, lists and numbers', () => {
  expect(timeText(RECEIVED_AT, 'UTC', 'long')).toBe('Donnerstag, 4. Dezember 2025 um 16:42');
  expect(zoneText('UTC')).toBe('Koordinierte Weltzeit');
  expect([500, 1_500, 9_900_000].map(sizeText)).toEqual(['500 Byte', '1,5 kB', '9,4 MB']);
  expect(listText(['a', 'b'], 'disjunction')).toBe('a oder b');
  expect(list()).toContain('10.000');
  expect(submission()).toContain('9,4 MB');
  expect(MAIL_EXAMPLES['application-file-left-out']?.text).toContain('9,9 MB');
  // For machines.
  expect(dateText(RECEIVED_AT, 'UTC')).toBe('2025-12-04');
});

it('de-DE > puts its own sign between a label and its value', () => {
  for (const [name, { html, text }] of Object.entries(MAIL_EXAMPLES)) {
    expect([name, /<title>[^<:]+ = [^<]+<\/title>/.test(html), /^[^:\n]+ = /.test(text)]).toEqual([name, true, true]);
    if (!name.startsWith('digest')) expect(text).toContain(`${mailWords.received} = `);
  }
  expect(submission()).toMatch(/<title>[^<:]+ = /);
  const errors = { name: ['Zu kurz'] };
  expect(formPage('Nordlicht', contact, new HttpError('invalid', '', { errors }), {})).toContain('Name = Zu kurz</a>');
});

it('de-DE > counts what was marked in its plural forms', () => {
  expect([list(1), list(2)].map((page) => /\d+ markierten?\./.exec(page)?.[0])).toEqual([
    '1 markierte.',
    '2 markierten.',
  ]);
});

it('de-DE > separates the cells of a CSV file by semicolons', async () => {
  const csv = new PassThrough();
  const rows = async function* () {
    yield* found;
  };
  const [table] = await Promise.all([readText(csv), writeCsv(rows(), csv)]);
  const { reference, form } = serviceWords('submissions').columns;
  expect(table.startsWith(`${reference};${form};`)).toBe(true);
});

it('de-DE > keeps the capitals of nouns within a sentence', () => {
  expect(list()).toContain(', Zeitraum 7 Tage: ');
});

it('de-DE > reaches the header of a mail', async () => {
  const mail = MAIL_EXAMPLES['enquiry'];
  if (!mail) throw new Error('no example');
  const { message } = await composeMessage(mail, MAIL_SETTINGS);
  expect(String(await buffer(message))).toMatch(/^Content-Language: de-DE\r$/m);
});
