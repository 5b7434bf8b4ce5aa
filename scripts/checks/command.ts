import { execa } from 'execa';

/** Runs a command with its output live, and returns whether it ended well. It ends with this process. */
export async function runCommand(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const { failed } = await execa(command, args, { env, stdio: ['ignore', 'inherit', 'inherit'], reject: false });
  return !failed;
}
