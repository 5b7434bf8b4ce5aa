import { spawn } from 'node:child_process';

interface Running {
  readonly env?: Readonly<Record<string, string>>;
  /** Shows the output when the command has ended, so that two at once do not mix theirs. */
  readonly isHeld?: boolean;
}

/** Runs a command with its output live, and returns whether it ended well. SIGINT and SIGTERM end it too. */
export function runCommand(
  command: string,
  args: readonly string[],
  { env = {}, isHeld = false }: Running = {},
): Promise<boolean> {
  return new Promise((resolve) => {
    const output = isHeld ? 'pipe' : 'inherit';
    const child = spawn(command, args, { stdio: ['ignore', output, output], env: { ...process.env, ...env } });
    const held: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => held.push(chunk));
    const end = () => void child.kill('SIGTERM');
    process.once('SIGINT', end).once('SIGTERM', end);
    const finish = (isGood: boolean) => {
      process.off('SIGINT', end).off('SIGTERM', end);
      process.stdout.write(Buffer.concat(held));
      resolve(isGood);
    };
    child.once('error', () => finish(false));
    child.once('close', (code) => finish(code === 0));
  });
}
