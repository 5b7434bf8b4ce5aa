import { spawnSync } from 'node:child_process';

const isRoot = process.getuid?.() === 0;

/**
 * Command and options that run a program so that file permissions apply to it. Root keeps its user id and loses its
 * capabilities.
 */
export const AS_ORDINARY_USER: readonly string[] = isRoot
  ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all', '--']
  : [];

/** Returns why no program can be run like that, or undefined. */
export function ordinaryUserMissing(): string | undefined {
  const [program = process.execPath, ...options] = AS_ORDINARY_USER;
  const { status } = isRoot ? spawnSync(program, [...options, 'true']) : { status: 0 };
  return status === 0 ? undefined : 'root cannot drop its capabilities here (Debian: util-linux)';
}
