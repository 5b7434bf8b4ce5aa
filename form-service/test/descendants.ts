import { execFileSync } from 'node:child_process';
import { identify } from '../../scripts/stack/process-group.ts';

/** Returns the identities of all processes that a process has started, directly or not. */
export function descendantsOf(pid: number): string[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number));
  const childrenOf = (parent: number): number[] =>
    pairs.flatMap(([child = 0, itsParent]) => (itsParent === parent ? [child, ...childrenOf(child)] : []));
  return childrenOf(pid).flatMap((child) => identify(child) ?? []);
}
