import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { makeTemporaryFolder } from '../../../test-support/temporary-folder.ts';
import { CONTENT } from '../paths.ts';
import { writeSchemas } from './json-schema.ts';

test('every YAML file but the words names its schema, which has the fields of the file', () => {
  const folder = makeTemporaryFolder();
  writeSchemas(folder);
  const files = readdirSync(CONTENT, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.yaml') && file !== 'wording.yaml',
  );
  for (const file of files) {
    const up = '../'.repeat(file.split('/').length - 1);
    const name = file.startsWith('pages/') ? 'page' : file.replace('.yaml', '');
    const source = readFileSync(join(CONTENT, file), 'utf8');
    expect([file, source.split('\n')[0]]).toEqual([file, `# yaml-language-server: $schema=${up}schema/${name}.json`]);
    const { properties } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as { properties: object };
    const fields = [...source.matchAll(/^(\w+):/gm)].map(([, field]) => field);
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(fields));
  }
  rmSync(folder, { recursive: true });
});
