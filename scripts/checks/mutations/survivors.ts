/** The parts of a report of Stryker that are read (mutation-testing-report-schema). */
export interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
  readonly status: string;
  readonly replacement?: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

/** Line and column, both from 1. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** Returns a line for each change that the tests ran and did not notice, and the number of changes that they ran. */
export function survivorsIn({ files }: Report): { readonly survivors: readonly string[]; readonly count: number } {
  const all = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({ file, source, ...mutant })),
  );
  const run = all.filter(({ status }) => ['Killed', 'Timeout', 'Survived'].includes(status));
  const survivors = run
    .filter(({ status }) => status === 'Survived')
    .map(({ file, source, location, replacement = '' }) => {
      const code = [textAt(source, location), replacement].map((text) => text.replaceAll(/\s+/g, ' '));
      return `${file}:${location.start.line}: ${code.join(' -> ')}`;
    });
  return { survivors, count: run.length };
}

function textAt(source: string, { start, end }: Mutant['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.pop() ?? '';
  return [...lines, last.slice(0, end.column - 1)].join('\n').slice(start.column - 1);
}

/** Returns the changed lines of modules in a diff without context, as `FILE:FROM-TO`. Tests are left out. */
export function changedRanges(diff: string): readonly string[] {
  return diff.split(/^diff --git .*$/m).flatMap((part) => {
    const file = /^\+\+\+ b\/(\S+\.ts)$/m.exec(part)?.[1];
    if (file === undefined || /\.(?:test|integration)\.ts$/.test(file)) return [];
    return [...part.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)].flatMap(([, from, count = '1']) =>
      count === '0' ? [] : [`${file}:${from}-${Number(from) + Number(count) - 1}`],
    );
  });
}
