import { execFileSync } from 'node:child_process';

/** Prints the Node.js versions of this process, its children and npm. */
const asks = (program: string, ...args: readonly string[]) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

const { node = '' } = JSON.parse(asks('npm', 'version', '--json')) as Readonly<Record<string, string>>;
process.stdout.write(`${process.version} ${asks('node', '--version')} v${node}\n`);
