import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const NOT_COPIED = new Set(['node_modules', 'dist', 'coverage']);

/**
 * A copy of the frontend in a temporary folder, for as long as an action takes: what is changed, added and built there
 * leaves the checkout as it is. It uses the checkout's packages, and nothing that earlier builds kept.
 *
 * @param action gets the path of the copy
 */
export async function withFrontendCopy<Value>(action: (frontend: string) => Promise<Value>): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), 'kitewright-bench-'));
  const frontend = join(folder, 'frontend');
  try {
    cpSync('tsconfig.base.json', join(folder, 'tsconfig.base.json'));
    cpSync('frontend', frontend, { recursive: true, filter: (path) => !NOT_COPIED.has(path.split('/')[1] ?? '') });
    linkPackages('node_modules', join(folder, 'node_modules'));
    linkPackages('frontend/node_modules', join(frontend, 'node_modules'));
    return await action(frontend);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Removes what builds of a copy kept for the next one, which then does all the work, as in a fresh clone. */
export function forgetBuilds(frontend: string): void {
  rmSync(join(frontend, '../node_modules/.cache'), { recursive: true, force: true });
}

/**
 * Gives a copy so many times the site's pages, as a person adds one: each by a file, with a title and a description of its own.
 *
 * @returns how many pages its files make then
 */
export function multiplyPages(frontend: string, times: number): number {
  const pages = join(frontend, 'content/pages');
  const files = readdirSync(pages, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
  for (const file of files) {
    const content = readFileSync(join(pages, file), 'utf8');
    for (let copy = 2; copy <= times; copy += 1) {
      const numbered = content
        .replace(/^title: ('?)/m, `title: $1${copy}: `)
        .replace(/^description: (?:>-\n(?: {2}.*\n)+|.*\n)/m, () => {
          return `description: Copy ${copy} of ${file}, which says what it says, to measure how long many pages take\n`;
        });
      writeFileSync(join(pages, file.replace('.yaml', `-${copy}.yaml`)), numbered);
    }
  }
  return files.length * times;
}

/** A text with a part replaced that must be there. */
export function replaceOnce(text: string, part: string, replacement: string): string {
  if (!text.includes(part)) throw new Error(`The content has no ${part}`);
  return text.replace(part, replacement);
}

/** Links to the packages in a folder. Other hidden folders than npm's `.bin` hold what is kept between runs. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from))
    if (!name.startsWith('.') || name === '.bin') symlinkSync(resolve(from, name), join(to, name));
}
