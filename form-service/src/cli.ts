import { runCommand } from './cli/program.ts';

// Only the user of the command can read the files that it writes.
process.umask(0o077);

// A reader such as head may close the pipe early; this is not an error. The audit log is written before the output.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

// exit() runs the handlers that remove an interrupted command's copies of visitors' data.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

process.exitCode = await runCommand(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
});

// Pending lookups and connections would keep the process alive.
process.stdout.write('', () => process.stderr.write('', () => process.exit()));
