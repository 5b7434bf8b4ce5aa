import { execa } from 'execa';
import { endingWithParent } from '../stack/end-with-parent.ts';

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Prints the output at the end, because other commands print at the same time. */
  readonly isBuffered?: boolean;
  /** Output that counts as a failure even if the exit code is 0. */
  readonly forbidden?: RegExp;
}

/** Runs a command, prints its output and returns whether it succeeded. */
export async function runCommand(
  command: string,
  args: readonly string[],
  { cwd = '.', env = {}, isBuffered = false, forbidden }: CommandOptions = {},
): Promise<boolean> {
  const output = isBuffered ? 'pipe' : (['inherit', 'pipe'] as const);
  const options = { cwd, env, stdin: 'ignore', stdout: output, stderr: output, all: true, reject: false } as const;
  const { all, failed } = await execa(...endingWithParent('SIGTERM', command, args), options);
  if (isBuffered) process.stdout.write(`${all}\n`);
  return !failed && forbidden?.test(all) !== true;
}
