import { expect, test } from '@jest/globals';
import { setYamlValues } from './yaml-values.ts';

const SOURCE = `# A remark.
name: Kitewright # of the example
blurb: >-
  Two lines
  of text.
offices:
  - name: 'Old'
    street:
      - Unit 0
      - Zone
    locality: Chennai
own: { light: '#fff', dark: "#000" }
`;

test('changes values alone, and keeps remarks, quotes and unknown keys', () => {
  const values = new Map<string, string | string[]>([
    ['name', 'Nordlicht: Systems'],
    ['offices.0.name', "It's"],
    ['offices.0.street', ['Hafenstr. 1']],
    ['own.dark', '#111'],
  ]);
  const changed = setYamlValues(SOURCE, values);
  expect(changed).toBe(
    SOURCE.replace('Kitewright #', "'Nordlicht: Systems' #")
      .replace("'Old'", "'It''s'")
      .replace('- Unit 0\n      - Zone', '- Hafenstr. 1')
      .replace('"#000"', '"#111"'),
  );
  expect(setYamlValues(changed, values)).toBe(changed);
});

test('adds a missing value after the first one of its map, and fills an empty one', () => {
  expect(
    setYamlValues(
      'name: a\nhost:\n',
      new Map([
        ['language', 'de-DE'],
        ['host', 'b'],
      ]),
    ),
  ).toBe('name: a\nlanguage: de-DE\nhost: b\n');
});

test('leaves a text with a syntax error to the build, which reports it', () => {
  expect(setYamlValues("name: 'a\n", new Map([['name', 'b']]))).toBe("name: 'a\n");
});
