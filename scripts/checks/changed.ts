import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path/posix';
import { repositoryFiles } from './repository-files.ts';

/** A step as the selection sees it. */
export interface Selectable {
  readonly name: string;
  /** Whether it runs after every change. */
  readonly isConstant?: boolean;
  /** Test files of the step. */
  readonly tests?: RegExp;
  /** Files that the step reads when it runs, for example as part of the running product. */
  readonly reads?: RegExp;
  /** Whether it takes too long between two edits. */
  readonly isLong?: boolean;
}

/** A step to run, if given only with these test files. */
export interface Choice<Step> {
  readonly step: Step;
  readonly only?: readonly string[];
}

export interface Plan<Step> {
  readonly choices: readonly Choice<Step>[];
  /** Steps and test files that do not run although they can notice the change. */
  readonly leftOut: readonly string[];
}

/** Files that tests read without naming them, and these tests. */
const READ_BY: readonly (readonly [files: RegExp, tests: RegExp])[] = [
  [/^(package|package-lock|tsconfig\.base)\.json$/, /./],
  [/^form-service\/(jest\.config\.js|package\.json|tsconfig\.json|test\/environment\.js)$/, /^form-service\//],
  [/^form-service\/test\/(integration-setup|integration-teardown|service-build)\.ts$/, /\.integration\.ts$/],
  [/^frontend\/(jest\.config\.js|package\.json|tsconfig\.json|test\/\w+(-\w+)*\.js)$/, /^frontend\//],
  [/^frontend\/test\/mocks\//, /^frontend\/src\//],
  [/^frontend\/content\//, /^frontend\/build\/content\//],
  [
    /^(frontend\/(src|builder|content|public|index\.html|vite\.config\.ts)|form-service\/src\/contract\/)/,
    /^frontend\/test\/site\//,
  ],
  [/^scripts\/(jest\.config\.js|tsconfig\.json)$/, /^scripts\//],
  [/^e2e\/(playwright\.config\.ts|package\.json|tsconfig\.json|harness\/global-setup\.ts)$/, /^e2e\//],
  [/^nginx\//, /^e2e\/nginx\//],
  [/^scripts\/(stack|mail-catcher|run\.mjs)/, /^e2e\/stack\//],
];

const TEST = /\.(test\.tsx?|integration\.ts|spec\.ts)$/;
const CODE = /\.(ts|tsx|js|mjs)$/;
/** Wires the parts of the product for many tests. A test that only starts it is not a test of each part. */
const HARNESS = /\.module\.ts$|^form-service\/test\/|^e2e\/(harness|pages|support)\//;
const TYPE_IMPORT = /^import type [^;]*;$/gm;
/** A quoted path up to its end or to the first expression in it. */
const QUOTED_PATH = /(?<=['"`])[\w@.-]+(?:\/[\w@.-]+)*(?=\/?(?:['"`]|\$\{))/g;

/** Returns the files that differ from the common ancestor of HEAD and `base`, and the untracked ones. */
export function changedFiles(root: string, base = 'HEAD'): readonly string[] {
  const [ancestor = base] = git(root, 'merge-base', base, 'HEAD');
  const changed = git(root, 'diff', '--name-only', '--no-renames', ancestor);
  return [...new Set([...changed, ...git(root, 'ls-files', '--others', '--exclude-standard')])].sort();
}

/** Chooses the steps that a change can break, and of their test files those that it touches. */
export function planFor<Step extends Selectable>(
  steps: readonly Step[],
  root: string,
  changed: readonly string[],
): Plan<Step> {
  const files = repositoryFiles(root);
  const touched = touchedTests(root, files, changed);
  const choices: Choice<Step>[] = [];
  const leftOut: string[] = [];
  for (const step of steps) {
    const { name, tests, reads, isConstant = false, isLong = false } = step;
    const canNotice = changed.some((file) => reads?.test(file));
    if (tests === undefined) {
      if (isConstant || (canNotice && !isLong)) choices.push({ step });
      else if (canNotice) leftOut.push(name);
      continue;
    }
    const all = files.filter((file) => TEST.test(file) && tests.test(file));
    const only = all.filter((file) => touched.has(file));
    if (only.length > 0) choices.push({ step, only });
    if (canNotice && only.length < all.length)
      leftOut.push(`${name}: ${all.length - only.length} of ${all.length} files`);
  }
  return { choices, leftOut };
}

/**
 * Tests that use a changed file directly or through other files, that lie next to it, or that read it without naming it.
 */
function touchedTests(root: string, files: readonly string[], changed: readonly string[]): ReadonlySet<string> {
  const users = usersOf(root, files, changed);
  const touched = new Set(changed);
  for (const file of touched) {
    const isOver = (user: string) => HARNESS.test(user) && !HARNESS.test(file) && !TEST.test(user);
    for (const user of users.get(file) ?? []) if (!isOver(user)) touched.add(user);
  }
  for (const file of changed.filter((one) => !TEST.test(one))) {
    const isRead = (test: string) => READ_BY.some(([read, tests]) => read.test(file) && tests.test(test));
    for (const test of files) if (dirname(test) === dirname(file) || isRead(test)) touched.add(test);
  }
  return new Set([...touched].filter((file) => TEST.test(file)));
}

/**
 * The files that use a file: they import it, or name its path or that of its folder. For a template, they lie next to it and
 * name its extension. A path from the root counts only in tests, because scripts list files that they do not run.
 */
function usersOf(
  root: string,
  files: readonly string[],
  changed: readonly string[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const dataIn = new Map<string, string[]>();
  // A removed file still has its users.
  for (const file of new Set([...files, ...changed].filter((one) => !CODE.test(one))))
    for (let folder = dirname(file); folder.includes('/'); folder = dirname(folder))
      dataIn.set(folder, [...(dataIn.get(folder) ?? []), file]);
  const users = new Map<string, Set<string>>();
  const add = (file: string, user: string) => users.set(file, (users.get(file) ?? new Set()).add(user));
  for (const user of files.filter((file) => CODE.test(file))) {
    const text = readFileSync(join(root, user), 'utf8').replaceAll(TYPE_IMPORT, '');
    for (const file of dataIn.get(dirname(user)) ?? [])
      if (dirname(file) === dirname(user) && text.includes(extname(file))) add(file, user);
    for (const [path] of text.matchAll(QUOTED_PATH)) {
      const places = [join(dirname(user), path), ...(TEST.test(user) ? [path] : [])];
      for (const place of places) for (const file of [place, ...(dataIn.get(place) ?? [])]) add(file, user);
    }
  }
  return users;
}

function git(root: string, ...args: string[]): readonly string[] {
  return execFileSync('git', ['-C', root, '-c', 'core.quotePath=false', ...args], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
}
