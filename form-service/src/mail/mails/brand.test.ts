import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeTemporaryFolder } from '../../../../test-support/temporary-folder.ts';
import { replacedWords } from '../../contract/words.ts';
import { readBrand } from './brand.ts';

const BUILT = `
motif: kite
radius: 3px
colours: { ink: { light: '#123456', dark: '#abcdef' }, onNight: '#fff' }
cloth: [{ light: '#111', dark: '#222' }]
hues: { sky: { light: '#333', dark: '#444' } }
`;

let folder: string;
beforeEach(() => {
  folder = makeTemporaryFolder();
  replacedWords.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, content: string) => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return pathToFileURL(file);
};
const read = (own: string) => readBrand(write('brand.yaml', own), write('built.yaml', BUILT));

describe('readBrand', () => {
  it('takes the values of the content > colours of three or six digits', () => {
    const brand = read(BUILT.replace('#123456', '#A1c').replace('3px', '0.5px'));
    expect([brand.get('ink'), brand.get('ink-dark'), brand.get('radius')]).toEqual(['#AA11cc', '#abcdef', '0.5px']);
    expect(replacedWords).toEqual([]);
  });

  it.each([
    ['kite', 'kite.html'],
    ['none', 'dot.html'],
  ])('has the file of the mark > %s', (motif, file) => {
    expect(read(BUILT.replace('motif: kite', `motif: ${motif}`)).get('mark')).toBe(file);
  });

  it.each([
    ['no radius', 'radius: 3px', ''],
    ['a block as the radius', 'radius: 3px', 'radius: { px: 3 }'],
    ['an empty colour', "ink: { light: '#123456', dark: '#abcdef' }", 'ink: ""'],
    ['no colour of the dark theme', ", dark: '#abcdef'", ''],
    ['a colour of another notation', '#123456', 'rgb(1, 2, 3)'],
    ['a colour with transparency', '#123456', '#12345680'],
    ['a quote', "'#123456'", `'"><b>'`],
    ['a block as a colour', "'#123456'", '{ a: b }'],
    ['no hues', /hues:.*/, 'hues: {}'],
    ['no colours', /colours:.*/, ''],
    ['an empty file', /[^]*/, ''],
  ])('takes values of the build and names the file > %s', (_what, old, text) => {
    expect(read(BUILT.replace(old, text))).toEqual(read(BUILT));
    expect(replacedWords).toEqual([expect.stringMatching(/brand\.yaml: ./)]);
  });
});
