import { runCommand } from './cli/program.ts';

// A reader that has seen enough, such as head, is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

process.exitCode = await runCommand(process.argv.slice(2), { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, environment: process.env });
