import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect } from '@jest/globals';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { ContentError, toLine } from '../builder/content/findings.ts';
import { loadContent, type LoadOptions } from '../builder/content/load-content.ts';

/** The second company. */
const SMALL = join(import.meta.dirname, 'content');

/** Reminder of words that are those of the example. */
const LACKING = /: readers see the words of the example$/;

/** A copy of the second company, which the tests of one file change; after each test it is as before. */
export function contentCopy() {
  const folder = makeTemporaryFolder();
  cpSync(SMALL, folder, { recursive: true });
  const changed = new Set<string>();
  afterEach(() => {
    for (const file of changed) {
      rmSync(join(folder, file), { force: true });
      if (existsSync(join(SMALL, file))) cpSync(join(SMALL, file), join(folder, file));
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
    /** Returns the reminders of the copy, one line each, but for the words that it lacks. */
    reminders: (options: LoadOptions = {}) =>
      copy
        .load(options)
        .reminders.map(toLine)
        .filter((line) => !LACKING.test(line)),
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
