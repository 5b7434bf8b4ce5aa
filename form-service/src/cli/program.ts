import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { Readable } from 'node:stream';
import { readStorageSettings, SettingsError } from '../config/env.ts';
import { openStore, storageFolder } from '../storage/open-store.ts';
import type { SubmissionStore } from '../storage/submission-store.ts';
import { backup, restore } from './backup.ts';
import { parseDuration } from './duration.ts';
import { erase } from './erase.ts';
import { exportSubmissions } from './export.ts';
import { removeJobs } from './job-removal.ts';
import { list } from './list.ts';
import { EXIT, OperatorError } from './operator-error.ts';
import { release, resend, resendAllFailed } from './requeue.ts';
import { resume } from './resume.ts';
import { STATE_CHOICES } from './selection.ts';
import { show } from './show.ts';
import { Terminal } from './terminal.ts';

/** What the process lends to the commands. */
export interface Surroundings {
  /** Only `restore` reads it. */
  readonly stdin?: Readable;
  readonly stdout: NodeJS.WritableStream & ConstructorParameters<typeof Terminal>[0];
  readonly stderr: ConstructorParameters<typeof Terminal>[1];
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Runs one of the operator's commands.
 *
 * @param args the command line without node and script
 * @returns the exit code, see {@link EXIT}
 */
export async function runCommand(args: readonly string[], { stdin = Readable.from([]), stdout, stderr, environment }: Surroundings): Promise<number> {
  const terminal = new Terminal(stdout, stderr);
  try {
    await programFor(terminal, stdin, environment).parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (error instanceof OperatorError || error instanceof SettingsError) terminal.note(error.message);
    else terminal.note(`Trouble: ${(error as Error).message}`);
    return error instanceof OperatorError ? error.exitCode : EXIT.trouble;
  }
}

function programFor(terminal: Terminal, stdin: Readable, environment: NodeJS.ProcessEnv): Command {
  const program = new Command('submissions')
    .description('Looks after the submissions of the contact and application forms.')
    .exitOverride()
    .configureOutput({ writeOut: (text) => void terminal.stdout.write(text), writeErr: (text) => terminal.note(text.trimEnd()) })
    .addHelpText('after', EXIT_HELP);

  const withStore = async (work: (store: SubmissionStore) => Promise<void>) => {
    const store = await openStore(readStorageSettings(environment));
    try {
      await work(store);
    } finally {
      await store.close();
    }
  };

  const json = new Option('--json', 'for scripts');
  const state = () => new Option('--state <state>', 'which ones; "open" is all that are not delivered').choices(STATE_CHOICES);
  const olderThan = () => new Option('--older-than <duration>', 'received longer ago than 30s, 5m, 2h or 3d').argParser(parseDuration);
  const command = (usage: string, description: string) => program.command(usage).description(description);

  command('list', 'list references, states and reasons; no personal data')
    .addOption(state().default('open'))
    .addOption(olderThan())
    .addOption(json)
    .action((options) => withStore((store) => list(store, terminal, options)));

  command('show <reference>', 'show one submission with all that the visitor sent')
    .addOption(json)
    .action((reference: string, options) => withStore((store) => show(store, terminal, reference, options)));

  command('resend [reference]', 'send a failed submission again')
    .option('--all-failed', 'all of them')
    .action((reference: string | undefined, options: { allFailed?: boolean }) => {
      if (Boolean(reference) === Boolean(options.allFailed)) throw new OperatorError('Name one reference, or say --all-failed.', EXIT.usage);
      return withStore((store) => (reference ? resend(store, terminal, reference) : resendAllFailed(store, terminal)));
    });

  command('release <reference>', 'send a submission that was set aside')
    .action((reference: string) => withStore((store) => release(store, terminal, reference)));

  command('export', 'write whole submissions to standard output')
    .addOption(new Option('--format <format>').choices(['json', 'csv']).default('json'))
    .addOption(state().default('all'))
    .addOption(olderThan())
    .option('--email <address>', 'only those of one person', emailArgument)
    .action((options) => withStore((store) => exportSubmissions(store, terminal, options)));

  command('erase', 'erase record, file and job of everything that came from an address')
    .requiredOption('--email <address>', 'the address, in any case', emailArgument)
    .option('--yes', 'do it; without it the references are only shown')
    .action((options) => withStore((store) => erase(store, terminal, options, { removeJobs: (ids) => removeJobs(ids, environment) })));

  command('resume <reference>', 'write the bytes of a résumé to standard output')
    .option('--out <file>', 'to a new file instead')
    .action((reference: string, options) => withStore((store) => resume(store, terminal, reference, options)));

  command('backup', 'write an archive of all submissions to standard output, while everything runs')
    .option('--out <file>', 'to a new file instead')
    .action((options) => backup(folderOf(environment), terminal, options));

  command('restore', 'fill an empty folder from an archive on standard input, while api and worker are stopped')
    .option('--in <file>', 'from a file instead')
    .action((options) => restore(folderOf(environment), terminal, stdin, options));

  return program;
}

/** @throws OperatorError for an object store, which keeps copies by means of its own */
function folderOf(environment: NodeJS.ProcessEnv): string {
  const { STORAGE_URL: url } = readStorageSettings(environment);
  if (!url.startsWith('file:')) throw new OperatorError('Submissions are in an object store: keep copies by its own means (docs/operations.md).', EXIT.trouble);
  return storageFolder(url);
}

function emailArgument(value: string): string {
  if (!value.includes('@')) throw new InvalidArgumentError('That is not an e-mail address.');
  return value;
}

const EXIT_HELP = `
Exit codes:
  ${EXIT.ok}  done
  ${EXIT.trouble}  trouble: storage or settings
  ${EXIT.usage}  the command line is wrong, or --yes is missing
  ${EXIT.notFound}  there is no such submission
  ${EXIT.wrongState}  the submission is in another state
  ${EXIT.busy}  the submission is being delivered just now

Settings: STORAGE_URL says where the submissions are, REDIS_URL where the jobs are.`;
