import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
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

/** Copies the work tree and links its packages: other tests use the original files at the same time. */
export function cloneWorkTree(): string {
  const clone = makeTemporaryFolder();
  const isSource = (path: string) => !/\/(dist|node_modules|test-results)$/.test(path);
  for (const path of COPIED) cpSync(join(root, path), join(clone, path), { recursive: true, filter: isSource });
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
