import { readFileSync } from 'node:fs';
import type { Theme } from '../pages/accessibility.ts';
import { paths, UNKNOWN_PATH } from '../pages/site.ts';

/** Whether every page is tested at every size, as `npm run test:all` does. */
export const isComplete = process.env.TEST_MATRIX === 'complete';

/** Selects the complete list or the sample for `npm test`. */
export const sizes = <Size>(complete: readonly Size[], sample: readonly Size[]): readonly Size[] =>
  isComplete ? complete : sample;

/** Widths of a phone and a laptop in both themes, or each of them once. */
export const views = sizes<readonly [width: number, theme: Theme]>(
  [
    [375, 'light'],
    [375, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ],
  [
    [375, 'light'],
    [1280, 'dark'],
  ],
);

const allPaths: readonly string[] = [...paths, UNKNOWN_PATH];

/** All pages, or a sample with every kind of hero and section, and the page for unknown addresses. */
export const sampledPaths: readonly string[] = isComplete ? allPaths : [...coverOf(paths), UNKNOWN_PATH];

/** Greedy set cover: repeatedly takes the page with the most missing kinds. */
function coverOf(candidates: readonly string[]): string[] {
  const kinds = new Map(candidates.map((path) => [path, kindsOn(path)]));
  const missing = new Set([...kinds.values()].flatMap((some) => [...some]));
  const cover: string[] = [];
  const newOn = (path: string) => [...(kinds.get(path) ?? [])].filter((kind) => missing.has(kind)).length;
  while (missing.size > 0) {
    const next = candidates.reduce((best, path) => (newOn(path) > newOn(best) ? path : best));
    for (const kind of kinds.get(next) ?? []) missing.delete(kind);
    cover.push(next);
  }
  return cover;
}

/** Reads a built page. */
function htmlOf(path: string): string {
  const file = { '/': 'index', [UNKNOWN_PATH]: '404' }[path] ?? path;
  return readFileSync(new URL(`../../frontend/dist/site/${file}.html`, import.meta.url), 'utf8');
}

function kindsOn(path: string): Set<string> {
  return new Set(htmlOf(path).match(/data-(?:section|hero)="[^"]*"|data-island/g));
}
