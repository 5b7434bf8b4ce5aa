import { parseArgs, type ParseArgsConfig } from 'node:util';

/**
 * Reads the arguments of a command. `--help` prints the usage and ends the process with 0; an unknown argument prints the
 * reason and the usage, and ends it with 1.
 *
 * @param usage one or two sentences on what the command does and accepts
 */
export function readArguments<Config extends ParseArgsConfig>(usage: string, config: Config) {
  const isHelp = process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h');
  if (isHelp) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${usage}\n`);
    process.exit(1);
  }
}
