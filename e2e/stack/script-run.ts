import { execa } from 'execa';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, type Environment } from '../harness/stack-process.ts';
import { makeTemporaryFolder } from '../../scripts/checks/temporary-folder.ts';

/** Copies a script of the repository into a folder of its own, next to a fake `docker`. */
export function prepareScript(name: string): string {
  const folder = makeTemporaryFolder();
  for (const one of ['bin', 'scripts']) mkdirSync(join(folder, one));
  for (const one of [name, 'setting.bash']) copyFileSync(join(root, 'scripts', one), join(folder, 'scripts', one));
  copyFileSync(join(root, 'e2e/stack/fake-docker'), join(folder, 'bin/docker'));
  // Pauses of the script take no time.
  writeFileSync(join(folder, 'bin/sleep'), '#!/bin/sh\n');
  chmodSync(join(folder, 'bin/sleep'), 0o755);
  writeFileSync(join(folder, 'containers'), '');
  return folder;
}

/** Runs a prepared script. Returns what it prints, and the calls of `docker` that change something, in their order. */
export async function runScript(
  folder: string,
  name: string,
  environment: Environment = {},
  input = '',
  parameters: readonly string[] = [],
) {
  const env = { PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, FOLDER: folder, ...environment };
  // Without the settings of the person who runs the tests.
  const options = { cwd: folder, env, extendEnv: false, input, reject: false } as const;
  const { exitCode, stdout, stderr } = await execa(join(folder, 'scripts', name), parameters, options);
  const calls = existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8') : '';
  return { exitCode, stdout, stderr, calls: calls.split('\n').filter(Boolean) };
}
