import { existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { readStorageSettings, SettingsError } from '../config/settings.ts';
import { Database, filePath } from '../database/database.ts';
import { turnLogOff } from '../observability/log.ts';
import { refuseForeignFiles } from '../submissions/installation.service.ts';
import { openResumeFiles } from '../submissions/resume-files.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { backup } from './backup.ts';
import { erase, erasures } from './erasures.ts';
import { doctor } from './doctor.ts';
import { restore } from './restore.ts';
import { orphans, release, resend, retention } from './changes.ts';
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
  /** Rows that one statement of a command takes, if not the default. */
  readonly pageRows?: number;
}

/**
 * Runs one of the operator's commands.
 *
 * @param args the command line without node and script
 * @returns the exit code, see {@link EXIT}
 */
export async function runCommand(args: readonly string[], resources: ProcessResources): Promise<number> {
  const terminal = new Terminal(resources.stdout, resources.stderr);
  // The commands say in sentences what the services log.
  turnLogOff();
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

function programFor(terminal: Terminal, resources: ProcessResources): Command {
  const { stdin = Readable.from([]), environment, pageRows } = resources;
  const program = new Command('submissions')
    .description('Looks after the submissions of the contact and application forms.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => terminal.note(text.trimEnd()),
    })
    .addHelpText('after', EXIT_HELP);

  /** Opens database and files for a command, and closes the database afterwards. */
  const operate =
    <Args extends unknown[]>(
      work: (operation: Operation, ...args: Args) => Promise<void>,
      { needsDatabase = false } = {},
    ) =>
    async (...args: Args): Promise<void> => {
      const settings = readStorageSettings(environment);
      if (needsDatabase) refuseMissingFile(settings.DATABASE_URL);
      const database = await Database.open(settings.DATABASE_URL);
      database.pageRows = pageRows ?? database.pageRows;
      try {
        const files = await openResumeFiles(settings);
        await refuseForeignFiles(database, files);
        await work(
          {
            settings,
            stdin,
            terminal,
            database,
            submissions: new SubmissionsRepository(database),
            search: new SubmissionSearchRepository(database),
            files,
          },
          ...args,
        );
      } finally {
        await database.close();
      }
    };

  const json = new Option('--json', 'print JSON');
  const state = () =>
    new Option('--state <state>', 'select a state; "open" selects all that are not delivered').choices(STATE_CHOICES);
  const olderThan = () =>
    new Option('--older-than <duration>', 'select submissions received longer ago than 30s, 5m, 2h or 3d').argParser(
      parseDuration,
    );
  const command = (usage: string, description: string) => program.command(usage).description(description);

  command('doctor', 'check settings, services and DNS records, and print what to do about each fault')
    .option('--env', 'check the .env on standard input too: submissions doctor --env < .env')
    .option('--send', 'send a trial mail to each mailbox, and a trial alert')
    .action(async ({ env, send }: { env?: true; send?: true }) => {
      // Unlike text(), it keeps a byte order mark, which doctor reports.
      const envFile = env ? (await buffer(stdin)).toString() : '';
      await doctor(terminal, environment, { envFile, ...(send && { send }) });
    });

  const changedSince = new Option(
    '--changed-since <archive>',
    'select what an archive of backup lacks: new submissions, marks and notes; - reads standard input',
  );

  command('list', 'list references, states and reasons, without personal data')
    .addOption(state().default('open'))
    .addOption(olderThan())
    .addOption(changedSince)
    .option('--wait <duration>', 'wait until there are none, for 30s, 5m, 2h or 3d at most', parseDuration)
    .addOption(json)
    .action(operate(list));

  command('show <reference>', 'show one submission with everything that the visitor sent')
    .addOption(json)
    .action(operate(show));

  command('resend [reference]', 'send a failed submission again')
    .option('--all-failed', 'send all failed submissions again')
    .option('--again', 'include delivered submissions whose mails did not arrive')
    .option(
      '--since <time>',
      'with --again: select submissions delivered or failed since a time: 2h (ago) or 2026-01-31T09:00Z',
      parseTime,
    )
    .option('--until <time>', 'with --since: end the period at this time', parseTime)
    .action(operate(resend));

  command('release <reference>', 'send a quarantined submission').action(operate(release));

  command('export', 'write whole submissions to standard output')
    .addOption(new Option('--format <format>', 'choose the format').choices(['json', 'csv']).default('json'))
    .addOption(state().default('all'))
    .addOption(olderThan())
    .addOption(changedSince)
    .option('--email <address>', 'select the submissions of one person', emailArgument)
    .action(operate(exportSubmissions));

  command('erase', 'erase the rows and files of all submissions from an address')
    .option('--email <address>', 'select the address; upper and lower case are equal', emailArgument)
    .option('--yes', 'erase; without it, only show the references')
    .option(
      '--again <file>',
      'erase what a restored backup brought back; the file (- for standard input) has the output of erasures',
    )
    .action(operate(erase));

  command('erasures', 'print references and times of all erasures, including those of the inbox').action(
    operate(erasures),
  );

  command('resume <reference>', 'write the bytes of a résumé to standard output')
    .option('--out <file>', 'write to a new file')
    .action(operate(resume));

  command('orphans', 'list résumé files that belong to no submission')
    .option('--yes', 'delete all of them')
    .action(operate(orphans));

  command('retention', 'show when retention last deleted submissions')
    .option('--allow', 'allow the next run to delete any number')
    .action(operate(retention));

  command('backup', 'write an archive of all submissions to standard output; the service keeps running')
    .addOption(new Option('--out <file>', 'write to a new file').conflicts('done'))
    .option('--done', 'only record that the latest archive is stored elsewhere')
    .action(operate(backup, { needsDatabase: true }));

  command(
    'restore',
    'fill an empty database and an empty folder or bucket from an archive on standard input; stop api and worker first',
  )
    .option('--in <file>', 'read a file')
    .option('--replace', 'replace existing submissions and files; erased submissions stay erased')
    .action(operate(restore));

  command('inbox-user <name>', 'ask for a password and print the line of a user of the inbox')
    .addOption(
      new Option('--role <role>', 'choose what the user sees: enquiries, applications, or all')
        .choices(['sales', 'hr', 'all'])
        .makeOptionMandatory(),
    )
    .action((name: string, options: { role: string }) => inboxUser(terminal, stdin, name, options));

  return program;
}

/** Rejects a missing SQLite file. Opening it would create an empty database, whose archive would look like a backup. */
function refuseMissingFile(url: string): void {
  if (url.startsWith('file:') && !existsSync(filePath(url)))
    throw new OperatorError(
      'The file in DATABASE_URL does not exist. Check the path, and that its folder is mounted.',
      EXIT.failure,
    );
}

function emailArgument(value: string): string {
  if (!value.includes('@')) throw new InvalidArgumentError('It is not an e-mail address.');
  return value;
}

const EXIT_HELP = `
Exit codes:
  ${EXIT.ok}  done
  ${EXIT.failure}  failure: storage or settings
  ${EXIT.usage}  the command line is wrong, or --yes is missing
  ${EXIT.notFound}  there is no such submission
  ${EXIT.wrongState}  the submission is in another state
  ${EXIT.busy}  a submission is being delivered, list --wait is over, or the database that restore needs is in use
  ${EXIT.incomplete}  the backup is written without files that the storage does not have

Settings: DATABASE_URL and RESUMES_URL, as in .env.`;
