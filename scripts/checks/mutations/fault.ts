import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { mutated, mutatedText, type Change } from './mutate.ts';

/** A realistic fault in one file, and the test that must notice it. */
export interface Fault {
  /** Promise that the fault breaks, as a sentence. */
  readonly breaks: string;
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

/** Reads the faults of a folder of modules that export `faults`. */
export async function faultsIn(folder: string): Promise<readonly Fault[]> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  const modules = await Promise.all(
    names.map((name) => import(resolve(folder, name)) as Promise<{ readonly faults: readonly Fault[] }>),
  );
  return modules.flatMap(({ faults }) => faults);
}
