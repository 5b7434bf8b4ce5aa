import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { withLongWords } from '../../src/dev/examples.ts';
import { SITE } from './built-site.ts';

const [longWord = ''] = withLongWords({ title: '' }).title.split(' ');

test('nothing of the development page of components is in the built site', () => {
  const files = readdirSync(SITE, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(?:html|js|css)$/.test(file),
  );
  expect(files.length).toBeGreaterThan(20);
  expect(longWord.length).toBeGreaterThan(30);
  const holds = (file: string) =>
    file.includes('_components') || readFileSync(join(SITE, file), 'utf8').includes(longWord);
  expect(files.filter(holds)).toEqual([]);
});
