import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { root } from './stack-process.ts';

const WORKSPACES = ['frontend', 'form-service'];
const COPIED = [
  ...WORKSPACES,
  'scripts',
  'nginx',
  'e2e/package.json',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
];

/**
 * Copies the work tree and links its packages: other tests use the original files at the same time.
 *
 * @param others folders that the tests in the copy read too
 */
export function cloneWorkTree(others: readonly string[] = []): string {
  const clone = makeTemporaryFolder();
  const isSource = (path: string) => !/\/(dist|node_modules|test-results)$/.test(path);
  for (const path of [...COPIED, ...others])
    cpSync(join(root, path), join(clone, path), { recursive: true, filter: isSource });
  const packages = join(clone, 'node_modules');
  mkdirSync(packages);
  for (const name of readdirSync(join(root, 'node_modules')).filter((one) => one !== '.cache')) {
    const target = WORKSPACES.includes(name) ? join(clone, name) : join(root, 'node_modules', name);
    symlinkSync(target, join(packages, name));
  }
  for (const workspace of WORKSPACES.filter((one) => existsSync(join(root, one, 'node_modules'))))
    symlinkSync(join(root, workspace, 'node_modules'), join(clone, workspace, 'node_modules'));
  return clone;
}

/** A fenced block of a document, and the text between it and the block before. */
const BLOCK = /([^]*?)^```(\w+)\n([^]*?)^```$/gm;

/** A source file in a sentence. */
const FILE = /`((?:form-service|frontend)\/[\w./-]+\.(?:ts|yaml))`/;

/**
 * Applies the fenced blocks of a document to a work tree, as a reader does. The text in front of a block names its file:
 * to create, or to extend at its end. A `diff` changes lines of the file that was named last.
 */
export function applyDocument(document: string, folder: string): void {
  let path = '';
  for (const [, text = '', language = '', code = ''] of readFileSync(join(root, document), 'utf8').matchAll(BLOCK)) {
    const named = FILE.exec(text)?.[1];
    if (named) path = join(folder, named);
    if (language === 'diff') writeFileSync(path, withChange(readFileSync(path, 'utf8'), code));
    else if (/\bCreate `/.test(text)) writeFileSync(path, code, { flag: 'wx' });
    else if (/\bat the end of `/.test(text)) appendFileSync(path, code);
  }
}

/**
 * Adds the third form of the second company to a clone, as a reader of docs/forms.md does who writes in German: the fields
 * are those of the document, words and page those of the company. Its options are words.
 */
export function addFormOfSecondCompany(clone: string): void {
  applyDocument('docs/forms.md', clone);
  const fields = join(clone, 'form-service/src/contract/forms/partner.ts');
  writeFileSync(fields, readFileSync(fields, 'utf8').replaceAll(/,?\s*\boptions: \[.*?\]/g, ''));
  const [from, to] = [join(clone, 'e2e/adopt/form'), join(clone, 'e2e/adopt/content')];
  appendFileSync(join(to, 'wording.yaml'), readFileSync(join(from, 'words.yaml'), 'utf8').replaceAll(/^(?=.)/gm, '  '));
  const page = readFileSync(join(from, 'partners.yaml'), 'utf8').replace('../../../frontend/content/', '../');
  writeFileSync(join(to, 'pages/partners.yaml'), page);
}

/** Replaces the old lines of a change without line numbers by its new ones. Throws if they are not there exactly once. */
function withChange(text: string, change: string): string {
  const side = (mark: string) =>
    change
      .split('\n')
      .filter((line) => line.startsWith(' ') || line.startsWith(mark))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  const parts = text.split(side('-'));
  if (parts.length !== 2) throw new Error(`These lines are there ${parts.length - 1} times:\n${side('-')}`);
  return parts.join(side('+'));
}
