import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect } from '@jest/globals';
import { stringify } from 'yaml';
import { FORMS } from '../../form-service/src/contract/form-list.ts';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { ContentError, toLine } from '../builder/content/findings.ts';
import { loadContent, type LoadOptions } from '../builder/content/load-content.ts';

const SMALL = join(import.meta.dirname, 'content');

/** The words of the service, which the small site has from the real one. */
const WORDING = 'wording.yaml';
const REAL = readFileSync(join(import.meta.dirname, '../content', WORDING), 'utf8');
const SERVICE_WORDS = REAL.slice(REAL.search(/^errors:/m), REAL.search(/^forms:/m));

/** The words of forms that a company has added (docs/forms.md), indented for their block. */
const FURTHER_FORMS = FORMS.filter(({ kind }) => kind !== 'contact' && kind !== 'application')
  .map(({ kind, words }) => stringify({ [kind]: words }).replaceAll(/^(?=.)/gm, '  '))
  .join('');

function writeWords(folder: string): void {
  const small = readFileSync(join(SMALL, WORDING), 'utf8');
  const words = small.replace(/^(?=employment:)/m, () => FURTHER_FORMS);
  writeFileSync(join(folder, WORDING), words + SERVICE_WORDS);
}

/** A copy of the small site of `test/content`, which the tests of one file change; after each test it is as before. */
export function contentCopy() {
  const folder = makeTemporaryFolder();
  cpSync(SMALL, folder, { recursive: true });
  writeWords(folder);
  const changed = new Set<string>();
  afterEach(() => {
    for (const file of changed) {
      rmSync(join(folder, file), { force: true });
      if (existsSync(join(SMALL, file))) cpSync(join(SMALL, file), join(folder, file));
      if (file === WORDING) writeWords(folder);
    }
    changed.clear();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const copy = {
    folder,
    write(file: string, content: string | Buffer): void {
      changed.add(file);
      writeFileSync(join(folder, file), content);
    },
    read: (file: string) => readFileSync(join(folder, file), 'utf8'),
    remove(file: string): void {
      changed.add(file);
      rmSync(join(folder, file));
    },
    /** Replaces words of a file that must be there. */
    replace(file: string, words: string | RegExp, by: string): void {
      expect(copy.read(file)).toMatch(words);
      copy.write(
        file,
        copy.read(file).replace(words, () => by),
      );
    },
    load: (options: LoadOptions = {}) => loadContent(folder, { today: '2026-02-15', ...options }),
    /** Returns the reminders of the copy, one line each. */
    reminders: (options: LoadOptions = {}) => copy.load(options).reminders.map(toLine),
    /** Returns the mistakes of the copy, one line each. */
    mistakes(options: LoadOptions = {}): readonly string[] {
      try {
        copy.load(options);
        return [];
      } catch (error) {
        if (error instanceof ContentError) return error.message.split('\n');
        throw error;
      }
    },
  };
  return copy;
}
