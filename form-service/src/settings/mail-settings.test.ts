import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeTemporaryFolder } from '../../../test-support/temporary-folder.ts';
import { COMPANY_FILE, readFacts } from './company.ts';
import { replacedWords } from '../contract/words.ts';
import { placeholdersIn, readSettings, readWorkerSettings } from './settings.ts';

const PRODUCTION = { NODE_ENV: 'production' };

it('Mail settings > refuse a line break in COMPANY_NAME, which is in a header', () => {
  expect(() => readSettings({ COMPANY_NAME: 'Firm\r\nBcc: x' })).toThrow('COMPANY_NAME must be 1 to 80 characters');
});

describe('Facts about the company', () => {
  const FACTS = {
    name: 'Firm & Söhne',
    host: 'https://www.firm.test',
    email: 'sales@firm.test',
    careersEmail: "'{company.email}'",
  };
  const OWN = {
    COMPANY_NAME: 'Other',
    SALES_INBOX: 'a@other.test',
    HR_INBOX: 'b@other.test',
    SITE_URL: 'https://other.test',
  };
  let folder: string;
  beforeAll(() => {
    folder = makeTemporaryFolder();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Reads settings with a company.yaml. */
  const readWith = (facts: string | object, environment = {}) => {
    const file = join(folder, 'company.yaml');
    const lines = typeof facts === 'string' ? [facts] : Object.entries(facts).map(([name, fact]) => `${name}: ${fact}`);
    writeFileSync(file, lines.join('\n'));
    return readSettings(environment, pathToFileURL(file));
  };

  it('are settings, unless a variable is set', () => {
    expect(readWith(FACTS, { SALES_INBOX: '', SITE_URL: '' })).toMatchObject({
      COMPANY_NAME: 'Firm & Söhne',
      SALES_INBOX: 'sales@firm.test',
      HR_INBOX: 'sales@firm.test',
      SITE_URL: 'https://www.firm.test',
    });
    expect(readWith(FACTS, OWN)).toMatchObject(OWN);
    expect(readWith('', OWN)).toMatchObject(OWN);
    // One that names another follows a setting, as on the pages.
    expect(readWith(FACTS, { SALES_INBOX: 'a@other.test' })).toMatchObject({ HR_INBOX: 'a@other.test' });
  });

  it.each([
    [{ ...FACTS, email: '>\n  sales@firm.test\n' }, { SALES_INBOX: 'sales@firm.test' }],
    [{ ...FACTS, careersEmail: "' b@firm.test '" }, { HR_INBOX: 'b@firm.test' }],
    [{ ...FACTS, name: "'{company.legalName}'", legalName: 'Firm & Co' }, { COMPANY_NAME: 'Firm & Co' }],
    [{ ...FACTS, name: "'{figures.kites} Kites'", figures: '{ kites: 3 }' }, { COMPANY_NAME: '3 Kites' }],
  ])('are those of the pages > %j', (facts, expected) => {
    expect(readWith(facts)).toMatchObject(expected);
  });

  it.each([
    [{}, 'no-reply@firm.test'],
    [{ SITE_URL: 'https://other.test:8443' }, 'no-reply@other.test'],
    [{ SITE_URL: 'https://other.test', MAIL_FROM: 'web@firm.test' }, 'web@firm.test'],
  ])('give mails their sender, unless a variable is set > %j', (environment, sender) => {
    expect(readWith(FACTS, environment).MAIL_FROM).toBe(sender);
  });

  const BRACES = '\\w+ has braces that enclose no fact';
  it.each([
    [{ email: "'a@{company.domain}'" }, BRACES],
    [{ email: "'a@{company.offices}'", offices: '[x]' }, BRACES],
    [{ email: "'a@{company.constructor}'" }, BRACES],
    [{ email: "'a@{company.middle}'", middle: "'{company.end}'", end: 'firm.test' }, BRACES],
    [{ name: "'{company.name}'" }, BRACES],
    [
      { email: 'Sales <a@firm.test>', careersEmail: 'b@firm.test' },
      'email must be one e-mail address without a display',
    ],
    [{ careersEmail: '' }, 'careersEmail is missing'],
    [{ name: 'x'.repeat(81) }, 'name must be 1 to 80 characters'],
    [{ host: 'firm.test' }, 'host '],
    ['name: "', 'Missing closing'],
  ])('are refused in one sentence with the file > %j', (facts, sentence) => {
    const all = typeof facts === 'string' ? facts : { ...FACTS, ...facts };
    expect(() => readWith(all)).toThrow(new RegExp(`^[^\\n]*\\n {2}${COMPANY_FILE}: ${sentence}[^\\n]*$`));
  });

  it('are refused in one sentence > there is no file', () => {
    expect(() => readSettings({}, pathToFileURL(join(folder, 'none')))).toThrow(
      new RegExp(` {2}${COMPANY_FILE}: ENOENT[^\\n]*$`),
    );
    expect(readSettings(OWN, pathToFileURL(join(folder, 'none')))).toMatchObject(OWN);
  });
});

describe('readFacts', () => {
  it.each([['name: "'], [undefined]])('takes the facts of the build, and notes why > %j', (content) => {
    const [file, built] = ['company.yaml', 'built.yaml'].map((name) =>
      pathToFileURL(join(makeTemporaryFolder(), name)),
    );
    if (!file || !built) throw new Error('no file');
    if (content) writeFileSync(file, content);
    expect(() => readFacts(file, built)).toThrow(COMPANY_FILE);
    writeFileSync(built, 'name: Firm\n');
    replacedWords.length = 0;
    expect(readFacts(file, built)).toEqual({ name: 'Firm' });
    expect(replacedWords).toEqual([expect.stringMatching(new RegExp(`^${COMPANY_FILE}: [^\\n]+$`))]);
  });
});

const OWN = { ...PRODUCTION, SALES_INBOX: 'a@firm.test', HR_INBOX: 'b@firm.test', MAIL_FROM: 'c@firm.test' };

describe('readWorkerSettings', () => {
  it.each([
    { SALES_INBOX: 'sales@firm.example' },
    { HR_INBOX: 'hr@FIRM.EXAMPLE' },
    { MAIL_FROM: 'website@firm.example' },
    { MAIL_BOUNCES_TO: 'bounces@firm.example' },
    { RECIPIENTS: 'Android Developer = mobile@firm.example' },
  ])('refuses %o in one sentence > in production', (one) => {
    expect(() => readWorkerSettings({ ...OWN, ...one })).toThrow(
      new RegExp(`\n  ${Object.keys(one).join()} has an address under \\.example, [^\\n]*$`),
    );
    expect(() => readWorkerSettings({ ...OWN, ...one, NODE_ENV: 'development' })).not.toThrow();
    expect(() => readSettings({ ...OWN, ...one })).not.toThrow();
  });
});

describe('placeholdersIn', () => {
  it('returns each setting to fix > production', () => {
    const found = placeholdersIn(readSettings({}), PRODUCTION);
    const names = ['SMTP_URL', 'SALES_INBOX', 'HR_INBOX', 'MAIL_FROM'];
    expect(found.map((sentence) => sentence.split(' ')[0])).toEqual(names);
    const SMTP_URL = 'smtp://relay.firm.net';
    expect(placeholdersIn(readSettings({ ...OWN, SMTP_URL, MAIL_FROM: 'a@example.firm.net' }), PRODUCTION)).toEqual([]);
  });

  it('returns nothing > development', () => {
    expect(placeholdersIn(readSettings({}), { NODE_ENV: 'development' })).toEqual([]);
  });
});
