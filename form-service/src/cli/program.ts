import { Readable } from 'node:stream';
import { Command, CommanderError } from 'commander';
import { SettingsError } from '../settings/settings.ts';
import { turnLogOff } from '../observability/log.ts';
import { registerBackup } from './backup.ts';
import { registerDoctor } from './doctor.ts';
import { registerErase } from './erase.ts';
import { registerInboxUser } from './inbox-user.ts';
import { registerExport, registerList, registerShow } from './queries.ts';
import { registerRestore } from './restore.ts';
import { registerRelease, registerResend } from './send.ts';
import type { Context, Register } from './storage.ts';
import { EXIT, OperatorError, Terminal } from './terminal.ts';

/** The resources of the process that the commands use. */
export interface ProcessResources extends Pick<Context, 'environment' | 'pageRows'> {
  readonly stdin?: Readable;
  readonly stdout: ConstructorParameters<typeof Terminal>[0];
  readonly stderr: ConstructorParameters<typeof Terminal>[1];
}

/** Commands in the order of the help. */
const COMMANDS: readonly Register[] = [
  registerDoctor,
  registerList,
  registerShow,
  registerResend,
  registerRelease,
  registerExport,
  registerErase,
  registerBackup,
  registerRestore,
  registerInboxUser,
];

/**
 * Runs one of the operator's commands.
 *
 * @param args the command line without node and script
 * @returns the exit code, see {@link EXIT}
 */
export async function runCommand(
  args: readonly string[],
  { stdout, stderr, stdin = Readable.from([]), ...others }: ProcessResources,
): Promise<number> {
  const terminal = new Terminal(stdout, stderr);
  // The commands say in sentences what the services log.
  turnLogOff();
  const program = new Command('submissions')
    .description("Looks after the submissions of the site's forms.")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => terminal.note(text.trimEnd()),
    })
    .addHelpText('after', EXIT_HELP);
  for (const register of COMMANDS) register(program, { terminal, stdin, ...others });
  try {
    await program.parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const isForOperator = error instanceof OperatorError || error instanceof SettingsError;
    terminal.note(isForOperator ? error.message : `Error: ${(error as Error).message}`);
    return error instanceof OperatorError ? error.exitCode : EXIT.failure;
  }
}

const EXIT_HELP = `
Exit codes:
  ${EXIT.ok}  done
  ${EXIT.failure}  failure: storage or settings
  ${EXIT.usage}  the command line is wrong, or --yes is missing
  ${EXIT.notFound}  there is no such submission
  ${EXIT.wrongState}  the submission is in another state
  ${EXIT.busy}  a submission is being delivered, or the database that restore needs is in use
  ${EXIT.incomplete}  the backup is written without files that the storage does not have

Settings: DATABASE_URL and RESUMES_URL, as in .env.`;
