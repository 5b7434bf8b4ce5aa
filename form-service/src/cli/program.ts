import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { readStorageSettings, SettingsError } from '../config/settings.ts';
import { Database } from '../database/database.ts';
import { refuseForeignFiles } from '../submissions/installation.service.ts';
import { openResumeFiles } from '../submissions/resume-files.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { backup } from './backup.ts';
import { doctor } from './doctor.ts';
import { restore } from './restore.ts';
import { erase, orphans, release, resend } from './changes.ts';
import { inboxUser } from './inbox-user.ts';
import { exportSubmissions, list, resume, show, STATE_CHOICES, type Operation } from './queries.ts';
import { EXIT, OperatorError, parseDuration, parseTime, Terminal } from './terminal.ts';

/** The resources of the process that the commands use. */
export interface ProcessResources {
  /** Only `restore`, `erase --again -` and `inbox-user` read it. */
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
export async function runCommand(args: readonly string[], resources: ProcessResources): Promise<number> {
  const terminal = new Terminal(resources.stdout, resources.stderr);
  try {
    await programFor(terminal, resources).parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (error instanceof OperatorError || error instanceof SettingsError) terminal.note(error.message);
    else terminal.note(`Error: ${(error as Error).message}`);
    return error instanceof OperatorError ? error.exitCode : EXIT.failure;
  }
}

function programFor(terminal: Terminal, { stdin = Readable.from([]), environment }: ProcessResources): Command {
  const program = new Command('submissions')
    .description('Looks after the submissions of the contact and application forms.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => terminal.note(text.trimEnd()),
    })
    .addHelpText('after', EXIT_HELP);

  /** Opens what a command works with, and closes it behind it. */
  const operate =
    <Args extends unknown[]>(work: (operation: Operation, ...args: Args) => Promise<void>) =>
    async (...args: Args): Promise<void> => {
      const settings = readStorageSettings(environment);
      const database = await Database.open(settings.DATABASE_URL);
      try {
        const files = await openResumeFiles(settings);
        await refuseForeignFiles(database, files);
        await work(
          { settings, stdin, terminal, database, submissions: new SubmissionsRepository(database), files },
          ...args,
        );
      } finally {
        await database.close();
      }
    };

  const json = new Option('--json', 'for scripts');
  const state = () =>
    new Option('--state <state>', 'which ones; "open" is all that are not delivered').choices(STATE_CHOICES);
  const olderThan = () =>
    new Option('--older-than <duration>', 'received longer ago than 30s, 5m, 2h or 3d').argParser(parseDuration);
  const command = (usage: string, description: string) => program.command(usage).description(description);

  command('doctor', 'say in one line each what is well, and what to do about what is not')
    .option('--env', 'look at the .env that is given as input: submissions doctor --env < .env')
    .option('--send', 'send a trial mail to each inbox, and a trial alert')
    .action(async ({ env, send }: { env?: true; send?: true }) => {
      const envFile = env ? await text(stdin) : '';
      await doctor(terminal, environment, { envFile, ...(send && { send }) });
    });

  command('list', 'list references, states and reasons; no personal data')
    .addOption(state().default('open'))
    .addOption(olderThan())
    .addOption(json)
    .action(operate(list));

  command('show <reference>', 'show one submission with all that the visitor sent')
    .addOption(json)
    .action(operate(show));

  command('resend [reference]', 'send a failed submission again')
    .option('--all-failed', 'all of them')
    .option('--again', 'delivered ones too: their mails were taken, and never arrived')
    .option(
      '--since <time>',
      'with --again: all that were sent, or given up, since 2h ago or 2026-01-31T09:00Z',
      parseTime,
    )
    .option('--until <time>', 'with --since: but not later than then', parseTime)
    .action(operate(resend));

  command('release <reference>', 'send a submission that was quarantined').action(operate(release));

  command('export', 'write whole submissions to standard output')
    .addOption(new Option('--format <format>').choices(['json', 'csv']).default('json'))
    .addOption(state().default('all'))
    .addOption(olderThan())
    .option('--email <address>', 'only those of one person', emailArgument)
    .action(operate(exportSubmissions));

  command('erase', 'erase row and file of everything that came from an address')
    .option('--email <address>', 'the address, in any case', emailArgument)
    .option('--yes', 'do it; without it the references are only shown')
    .option(
      '--again <file>',
      'instead: erase what a restored backup brought back; the file (- for standard input) holds what erase printed',
    )
    .action(operate(erase));

  command('resume <reference>', 'write the bytes of a résumé to standard output')
    .option('--out <file>', 'to a new file instead')
    .action(operate(resume));

  command('orphans', 'list files of résumés that belong to no submission')
    .option('--yes', 'delete them, however many there are')
    .action(operate(orphans));

  command('backup', 'write an archive of all submissions to standard output, while everything runs')
    .option('--out <file>', 'to a new file instead')
    .action(operate(backup));

  command(
    'restore',
    'fill an empty database and an empty folder or bucket from an archive on standard input, while api and worker are stopped',
  )
    .option('--in <file>', 'from a file instead')
    .option('--replace', 'in place of the submissions and files that are there; what was erased stays erased')
    .action(operate(restore));

  command('inbox-user <name>', 'ask for a password, and write the line that lets this person into the inbox')
    .addOption(
      new Option('--role <role>', 'sales sees enquiries, hr applications')
        .choices(['sales', 'hr', 'all'])
        .makeOptionMandatory(),
    )
    .action((name: string, options: { role: string }) => inboxUser(terminal, stdin, name, options));

  return program;
}

function emailArgument(value: string): string {
  if (!value.includes('@')) throw new InvalidArgumentError('That is not an e-mail address.');
  return value;
}

const EXIT_HELP = `
Exit codes:
  ${EXIT.ok}  done
  ${EXIT.failure}  failure: storage or settings
  ${EXIT.usage}  the command line is wrong, or --yes is missing
  ${EXIT.notFound}  there is no such submission
  ${EXIT.wrongState}  the submission is in another state
  ${EXIT.busy}  a submission is being delivered just now, or the database that restore needs is in use

Settings: DATABASE_URL and RESUMES_URL say where submissions are.`;
