import { spawnSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';
import { findProgram, installPackages } from '../../stack/programs.ts';
import { StartError } from '../../stack/start-error.ts';
import type { Manifest } from './manifest.ts';

/** The command that builds an overlay. */
export type Kustomize = readonly [program: string, ...args: string[]];

/** Since this one, labels can be set without changing selectors. */
const OLDEST_MAJOR = 5;

/** Why the manifests are not checked where there is none. */
export const MISSING = `kustomize ${OLDEST_MAJOR} is needed, or a kubectl with it`;

/** Finds kustomize, or installs it where that is possible. */
export function offerKustomize(): Kustomize | undefined {
  if (findKustomize() === undefined && findProgram('kubectl') === undefined) {
    try {
      installPackages(['kubernetes-client']);
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      process.stdout.write(`${error.message}\n`);
    }
  }
  return findKustomize();
}

/** What an overlay comes to. Throws a {@link StartError} when it cannot be built. */
export function buildOverlay([program, ...args]: Kustomize, folder: string): Manifest[] {
  const { status, stdout, stderr } = spawnSync(program, [...args, folder], {
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  if (status !== 0) throw new StartError(`${folder} cannot be built: ${stderr.trim()}`);
  return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
}

/** kustomize, or the one within kubectl. */
export function findKustomize(): Kustomize | undefined {
  const kustomize = findProgram('kustomize');
  if (kustomize !== undefined && isRecent(kustomize, ['version'], /v(\d+)\./)) return [kustomize, 'build'];
  const kubectl = findProgram('kubectl');
  if (kubectl !== undefined && isRecent(kubectl, ['version', '--client'], /Kustomize Version: v(\d+)\./))
    return [kubectl, 'kustomize'];
  return undefined;
}

function isRecent(program: string, args: readonly string[], version: RegExp): boolean {
  const major = version.exec(spawnSync(program, args, { encoding: 'utf8' }).stdout)?.[1];
  return Number(major) >= OLDEST_MAJOR;
}
