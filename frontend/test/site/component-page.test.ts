import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { SITE } from './built-site.ts';

test('nothing of the development page of components is in the built site', () => {
  const files = readdirSync(SITE, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(?:html|js|css)$/.test(file),
  );
  expect(files.length).toBeGreaterThan(20);
  const holds = (file: string) => /_components|Kraftfahrzeug/.test(file + readFileSync(join(SITE, file), 'utf8'));
  expect(files.filter(holds)).toEqual([]);
});
