import { spawn } from 'node:child_process';

/** Runs a command with its output live, and returns whether it ended well. SIGINT and SIGTERM end it too. */
export function runCommand(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } });
    const end = () => void child.kill('SIGTERM');
    process.once('SIGINT', end).once('SIGTERM', end);
    const finish = (isGood: boolean) => {
      process.off('SIGINT', end).off('SIGTERM', end);
      resolve(isGood);
    };
    child.once('error', () => finish(false));
    child.once('close', (code) => finish(code === 0));
  });
}
