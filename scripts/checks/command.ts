import { execa } from 'execa';

interface Running {
  readonly env?: Readonly<Record<string, string>>;
  /** Shows the output when the command has ended, so that two at once do not mix theirs. */
  readonly isHeld?: boolean;
}

/** Runs a command with its output live, and returns whether it ended well. It ends with this process. */
export async function runCommand(command: string, args: readonly string[], options: Running = {}): Promise<boolean> {
  const { env = {}, isHeld = false } = options;
  const output = isHeld ? 'pipe' : 'inherit';
  const child = execa(command, args, { env, stdio: ['ignore', output, output], all: true, reject: false });
  const { failed, all } = await child;
  if (isHeld) process.stdout.write(`${all}\n`);
  return !failed;
}
