import { findProgram } from './programs.ts';

/**
 * Returns the command that runs a program which receives a signal when this process ends, also after SIGKILL
 * (`PR_SET_PDEATHSIG`). The program replaces `setpriv`, so it has the pid of the started process.
 *
 * @param privileges options of `setpriv` for the program: a changed user would clear the signal that was set before
 * @returns the program as it is on systems other than Linux
 */
export function endingWithParent(
  signal: 'SIGKILL' | 'SIGTERM',
  program: string,
  args: readonly string[] = [],
  privileges: readonly string[] = [],
): [program: string, args: string[]] {
  const setpriv = process.platform === 'linux' ? findProgram('setpriv') : undefined;
  return setpriv === undefined
    ? [program, [...args]]
    : [setpriv, ['--pdeathsig', signal, ...privileges, '--', program, ...args]];
}
