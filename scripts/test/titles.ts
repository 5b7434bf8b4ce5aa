import { globSync, readFileSync } from 'node:fs';

/** A longer title is cut off in the lists of the runners. */
const TITLE_MAX = 90;

const TESTS = '{form-service,frontend,e2e,scripts,bench}/**/*.{test,integration,spec}.{ts,tsx}';

/** Returns the titles of tests that are too long. A value in a title counts as five characters. */
export function titleProblems(): string[] {
  return globSync(TESTS, { exclude: (name) => /^(node_modules|dist)$/.test(name) }).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\b(?:test|it)(?:\.each\([^]*?\))?\(\s*(['"`])(.*?)\1,/g)]
      .map(([, , title = '']) => title)
      .filter((title) => title.replaceAll(/\$\{[^}]*\}/g, 'value').length > TITLE_MAX)
      .map((title) => `${file}: a title has more than ${TITLE_MAX} characters: ${title}`),
  );
}
