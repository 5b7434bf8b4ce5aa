import { mutated, mutatedText, type Change } from './mutate.ts';

/** A realistic fault in one file, and the test that must notice it. */
export interface Fault {
  /** Verb phrase: the program's wrong behaviour. */
  readonly fault: string;
  readonly file: string;
  /** Path of the test file that notices the fault. */
  readonly test: string;
  /** Pattern of the tests to run, as Jest's `--testNamePattern`. */
  readonly title?: string;
  /** Returns the source with the fault. @throws NotApplicableError */
  readonly apply: (source: string, file: string) => string;
}

/** A fault in one export of a TypeScript file. */
export const inExport = (name: string, change: Change) => (source: string, file: string) =>
  mutated(source, file, name, change);

/** A fault in another file, such as a configuration of nginx. */
export const inFile = (pattern: string, by: string) => (source: string) => mutatedText(source, pattern, by);
