import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { jsonSchemas } from './json-schema.ts';

const CONTENT = join(import.meta.dirname, '../../content');

test('the schemas that editors read are those of the build ("npm run content:schema -w frontend" makes them)', () => {
  const folder = join(CONTENT, 'schema');
  const written = readdirSync(folder).map((name) => [name, JSON.parse(readFileSync(join(folder, name), 'utf8'))]);
  expect(Object.fromEntries(written)).toEqual(JSON.parse(JSON.stringify(jsonSchemas())));
});

test('every YAML file of the content names its schema', () => {
  const files = readdirSync(CONTENT, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
  for (const file of files) {
    const up = '../'.repeat(file.split('/').length - 1);
    const schema = file.startsWith('pages/') ? 'page' : file.replace('.yaml', '');
    const [first] = readFileSync(join(CONTENT, file), 'utf8').split('\n');
    expect([file, first]).toEqual([file, `# yaml-language-server: $schema=${up}schema/${schema}.json`]);
  }
});
