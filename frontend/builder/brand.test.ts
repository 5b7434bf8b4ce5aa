import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { colourToken } from './brand.ts';

const FRONTEND = join(import.meta.dirname, '..');
/** Colour literal. One derived from another is allowed, and an example in a message. */
const LITERAL =
  /(?<!&|such as ")#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\((?!from (?:var\(--|\$\{))/gi;
const TOKENS = /^@theme[^{]*\{[\s\S]*?^\}/gm;

test('no colour is written outside the tokens in @theme', () => {
  const literals = ['src', 'builder'].flatMap((folder) =>
    readdirSync(join(FRONTEND, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.test)\.(?:tsx?|css)$/.test(file))
      .flatMap((file) => {
        const code = readFileSync(join(FRONTEND, folder, file), 'utf8').replaceAll(TOKENS, '');
        return (code.match(LITERAL) ?? []).map((literal) => `${folder}/${file}: ${literal}`);
      }),
  );
  expect(literals).toEqual([]);
});

test('finds a colour by its token, in light and dark mode', () => {
  expect(colourToken('paper')).toMatch(/^#/);
  expect(colourToken('paper', 'dark')).toMatch(/^#/);
  expect(colourToken('paper', 'dark')).not.toBe(colourToken('paper'));
  expect(colourToken('on-night', 'dark')).toBe(colourToken('on-night'));
  expect(() => colourToken('mauve')).toThrow('mauve');
});
