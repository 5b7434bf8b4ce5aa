import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SOURCES = 'form-service/src';

/** Share by which a version may grow without a reason. */
const GROWTH_MAX = 0.02;

const ENTRIES = ['api', 'worker', 'cli'] as const;

/** Size of the form service: lines and files of its TypeScript without tests, and files that an entry point leads to. */
export type Size = Readonly<Record<'lines' | 'files' | (typeof ENTRIES)[number], number>>;

export function sizeOf(root = '.'): Size {
  const files = globSync('**/*.ts', { cwd: join(root, SOURCES) }).filter(
    (name) => !/\.(?:test|integration)\./.test(name),
  );
  const linesOf = (name: string) =>
    readFileSync(join(root, SOURCES, name), 'utf8')
      .trimEnd()
      .split('\n').length;
  const reach = (entry: string) => reachedFrom(join(root, SOURCES, `${entry}.ts`)).size;
  return {
    lines: files.reduce((sum, name) => sum + linesOf(name), 0),
    files: files.length,
    api: reach('api'),
    worker: reach('worker'),
    cli: reach('cli'),
  };
}

/** Returns the files that a file imports, directly or through others, and the file itself. */
function reachedFrom(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file) || !existsSync(file)) return found;
  found.add(file);
  for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.{1,2}\/[^']+\.ts)'/g))
    reachedFrom(join(dirname(file), target), found);
  return found;
}

export const sizeText = ({ lines, files, api, worker, cli }: Size): string =>
  `${lines} lines in ${files} files; reach of api ${api}, worker ${worker}, cli ${cli} files`;

const SIZE = /(\d+) lines in (\d+) files; reach of api (\d+), worker (\d+), cli (\d+) files/;

/**
 * Compares the size with the one that the changelog has for the latest version. A version that raises a number by more than
 * two percent says in a line that begins with `- Size:` what for.
 */
export function sizeProblems(size: Size, changelog: string): string[] {
  const [unreleased = '', ...released] = changelog.split(/^## \[(?!Unreleased)/m);
  const numbers = SIZE.exec(released.join(''))?.slice(1).map(Number);
  if (numbers === undefined) return ['CHANGELOG.md has no size for the latest version'];
  const names = ['lines', 'files', ...ENTRIES] as const;
  const raised = names.filter((name, index) => size[name] > (numbers[index] ?? 0) * (1 + GROWTH_MAX));
  if (raised.length === 0 || /^- Size: /m.test(unreleased)) return [];
  return [`CHANGELOG.md does not say what ${raised.join(', ')} grew for (now ${sizeText(size)})`];
}
