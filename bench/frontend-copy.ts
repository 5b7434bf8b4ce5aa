import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A line of the route tree: a page's path, and the name of the file with its content. */
const ROUTE = /^ {2}page\('(\/[^']*)', \(\) => import\('\.\.\/content\/pages\/([\w-]+)\.ts'\)\),$/gm;
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
 * Gives a copy so many times the site's pages, as a person adds one: a file of content and a line in the route tree.
 *
 * @returns how many pages the route tree has then
 */
export function multiplyPages(frontend: string, times: number): number {
  const pages = join(frontend, 'src/content/pages');
  const routes: string[] = [];
  const table = readFileSync('frontend/src/app/routes.tsx', 'utf8').replaceAll(
    ROUTE,
    (line: string, path: string, name: string) => {
      routes.push(line);
      const content = readFileSync(join(pages, `${name}.ts`), 'utf8');
      for (let copy = 2; copy <= times; copy += 1) {
        const own = `${path === '/' ? '/home' : path}-${copy}`;
        writeFileSync(join(pages, `${name}-${copy}.ts`), replaceOnce(content, `path: '${path}'`, `path: '${own}'`));
        routes.push(`  page('${own}', () => import('../content/pages/${name}-${copy}.ts')),`);
      }
      return routes.slice(-times).join('\n');
    },
  );
  if (routes.length === 0) throw new Error('frontend/src/app/routes.tsx has no line of the known form');
  writeFileSync(join(frontend, 'src/app/routes.tsx'), table);
  return routes.length;
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
