import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { makeTemporaryFolder } from '../../../test-support/temporary-folder.ts';
import { canonicalLanguage, readLanguage } from './locale.ts';
import { replacedWords } from './words.ts';

const folder = makeTemporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return pathToFileURL(join(folder, name));
};
const nowhere = pathToFileURL(join(folder, 'none.yaml'));

describe('readLanguage', () => {
  it.each([
    ['the language of the content', '# Facts\nname: Nordlicht\nlanguage: "DE-de" # of all texts\n', 'de-DE', []],
    ['the default', 'name: Nordlicht\n', 'en-GB', []],
    ['the default > it has no language', 'language:\nname: Nordlicht\n', 'en-GB', []],
    ['the default, and notes it > nobody speaks it', 'language: deutsch\n', 'en-GB', ['language']],
    ['the default, and notes it > it is no tag', 'language: de_DE\n', 'en-GB', ['language']],
    ['the default, and notes it > the file is damaged', 'language: "de\n', 'en-GB', ['language']],
  ])('returns %s', (_what, content, language, replaced) => {
    replacedWords.length = 0;
    expect(readLanguage(file('company.yaml', content), nowhere)).toBe(language);
    expect(replacedWords).toEqual(replaced.map((name) => expect.stringMatching(`company.yaml: ${name}$`)));
  });

  it('returns the language of the build > there is no content', () => {
    expect(readLanguage(nowhere, file('built.yaml', 'language: fr-CH\n'))).toBe('fr-CH');
    expect(readLanguage(nowhere, nowhere)).toBe('en-GB');
  });
});

it('canonicalLanguage > refuses a language that the runtime has no dates of', () => {
  expect(canonicalLanguage('sr-latn-rs')).toBe('sr-Latn-RS');
  expect(() => canonicalLanguage('xx')).toThrow('xx is unknown');
});

/** Languages that sources name, and why. */
const NAMED: Readonly<Record<string, string>> = {
  "form-service/src/contract/locale.ts: 'en-GB'": 'the default',
  "form-service/src/contract/locale.ts: 'en-US'": 'calendar dates of the default',
  "form-service/src/html/format.ts: 'en-CA'": 'dates in ISO 8601 for machines',
  "frontend/builder/brand.ts: 'en'": 'the language without hyphens',
};

it('no source but this one > names a language', () => {
  const cwd = fileURLToPath(new URL('../../..', import.meta.url));
  const sources = globSync(
    [
      'form-service/src/**/*.{ts,html,txt}',
      'frontend/{src,builder}/**/*.{ts,tsx}',
      'frontend/index.html',
      'nginx/**/*',
    ],
    { cwd },
  ).filter((name) => /\.(?:conf|html|txt|tsx?)$/.test(name) && !/\.(?:test\.tsx?|integration\.ts)$/.test(name));
  expect(sources.length).toBeGreaterThan(200);
  const found = sources.flatMap((name) =>
    Array.from(
      readFileSync(join(cwd, name), 'utf8').matchAll(/(['"`])en(?:[-_][A-Z]{2})?\1|\blang="(?![{$])[^"]*"/g),
      ([language]) => `${name}: ${language}`,
    ),
  );
  expect([...new Set(found)].sort()).toEqual(Object.keys(NAMED).sort());
});
