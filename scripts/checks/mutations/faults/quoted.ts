import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { inFile, type Fault } from '../fault.ts';

/** A fault that quotes the source: `code` becomes `becomes`. */
interface Quoted extends Omit<Fault, 'file' | 'apply'> {
  readonly code: string;
  readonly becomes: string;
  /** Reason why the fault may survive. It is left out. */
  readonly accepted?: string;
}

const byFile = parse(readFileSync(join(import.meta.dirname, 'quoted.yaml'), 'utf8')) as Record<string, Quoted[]>;

/** Faults that quote the source. */
export const faults: readonly Fault[] = Object.entries(byFile).flatMap(([file, quoted]) =>
  quoted
    .filter(({ accepted }) => accepted === undefined)
    .map(({ code, becomes, ...fault }) => ({ ...fault, file, apply: inFile(code, becomes) })),
);
