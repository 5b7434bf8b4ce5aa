import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { makeTemporaryFolder } from '../../../scripts/checks/temporary-folder.ts';
import { readWords, WORDS_NAME, wordsOf } from './words.ts';

let folder: string;
beforeEach(() => {
  folder = makeTemporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

it.each([
  ['a missing file', undefined, 'ENOENT'],
  ['an empty file', '', 'forms is missing$'],
  ['a list', '- forms', 'forms is missing$'],
  ['no forms', 'frame: {}', 'forms is missing$'],
  ['a text as forms', 'forms: hello', 'forms is missing$'],
  ['a text as the words of a form', 'forms:\n  contact: hello', 'forms.contact is'],
  ['malformed YAML', 'forms:\n  all: {a: b\n', '.* at line 3, column 1$'],
])('readWords > names the file and its mistake in one line > %s', (_what, content, message) => {
  const file = join(folder, 'wording.yaml');
  if (content !== undefined) writeFileSync(file, content);
  expect(() => readWords(pathToFileURL(file))).toThrow(
    expect.objectContaining({ message: expect.stringMatching(new RegExp(`^${WORDS_NAME}: ${message}`)) }),
  );
});

it('wordsOf > says that all words of a form are missing', () => {
  expect(() => wordsOf('partner')).toThrow(`${WORDS_NAME}: forms.partner is missing`);
});
