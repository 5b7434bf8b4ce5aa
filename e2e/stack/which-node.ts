import { execFileSync } from 'node:child_process';

/** Says which Node.js runs this, the programs that it starts, and npm; with an argument it then waits for SIGTERM and ends with 7. */
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
