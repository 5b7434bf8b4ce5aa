import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SOURCES = 'form-service/src';
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
  // Imports of types only are not followed: they load nothing.
  const imports =
    /^(?:import|export)\s+(?!type\b)[^'"]*?from\s+'(\.[^']+)'|^import\s+'(\.[^']+)'|import\('(\.[^']+)'\)/gm;
  for (const [, named, bare, lazy] of readFileSync(file, 'utf8').matchAll(imports))
    reachedFrom(join(dirname(file), named ?? bare ?? lazy ?? ''), found);
  return found;
}

/** Compares the size with the numbers that `size.json` records. A change that needs more raises a number there, for all to see. */
export function sizeProblems(size: Size, recorded: Size): string[] {
  return (Object.keys(size) as (keyof Size)[])
    .filter((name) => size[name] !== recorded[name])
    .map((name) => `scripts/test/size.json: ${name} is ${recorded[name]}, and the form service has ${size[name]}`);
}
