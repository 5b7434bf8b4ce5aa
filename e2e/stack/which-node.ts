import { execFileSync } from 'node:child_process';

/** Prints the Node.js versions of this process, its children and npm. With an argument it waits for SIGTERM and exits with 7. */
const asks = (program: string, ...args: readonly string[]) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

if (process.argv.length > 2) {
  const stayAwake = setInterval(() => undefined, 60_000);
  process.once('SIGTERM', () => {
    clearInterval(stayAwake);
    process.exitCode = 7;
  });
}
const { node = '' } = JSON.parse(asks('npm', 'version', '--json')) as Readonly<Record<string, string>>;
process.stdout.write(`${process.version} ${asks('node', '--version')} v${node}\n`);
