import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { readStorageSettings, type StorageSettings } from '../settings/settings.ts';
import { Database, filePath } from '../database/database.ts';
import { refuseForeignFiles } from '../submissions/installation.service.ts';
import { openFileStorage, type FileStorage } from '../files/file-storage.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { isSubmissionId, type Submission } from '../submissions/submission.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { EXIT, OperatorError, type Terminal } from './terminal.ts';

/** Streams and variables of the process that a command runs in. */
export interface Context {
  readonly stdin: Readable;
  readonly terminal: Terminal;
  readonly environment: NodeJS.ProcessEnv;
  /** Rows that one statement of a command takes, if not the default. */
  readonly pageRows?: number | undefined;
}

/** Adds a command to the program. */
export type Register = (program: Command, context: Context) => void;

/** Database and files that a command uses, with its streams. */
export interface Storage extends Pick<Context, 'stdin' | 'terminal'> {
  readonly settings: StorageSettings;
  readonly database: Database;
  readonly submissions: SubmissionsRepository;
  readonly search: SubmissionSearchRepository;
  readonly files: FileStorage;
}

/** Opens the database. A missing file would become an empty one, whose archive would look like a backup. @throws OperatorError */
export function openExisting(url: string): Promise<Database> {
  if (url.startsWith('file:') && !existsSync(filePath(url)))
    throw new OperatorError('DATABASE_URL: the file does not exist. Check path and mount.', EXIT.failure);
  return Database.open(url);
}

/** Returns the action of a command: it opens database and files, does the work, and closes the database. */
export function withStorage<Args extends unknown[]>(
  { stdin, terminal, environment, pageRows }: Context,
  work: (storage: Storage, ...args: Args) => Promise<void>,
  open: typeof openExisting = openExisting,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    const settings = readStorageSettings(environment);
    const database = await open(settings.DATABASE_URL);
    database.pageRows = pageRows ?? database.pageRows;
    try {
      const files = await openFileStorage(settings);
      await refuseForeignFiles(database, files);
      const [submissions, search] = [new SubmissionsRepository(database), new SubmissionSearchRepository(database)];
      await work({ stdin, terminal, settings, database, submissions, search, files }, ...args);
    } finally {
      await database.close();
    }
  };
}

/** Returns those submissions of the references that there are. */
export async function existing({ submissions }: Storage, references: readonly string[]): Promise<Submission[]> {
  const ids = references.map((reference) => reference.trim().toUpperCase()).filter(isSubmissionId);
  const found = await Promise.all(ids.map((id) => submissions.find(id)));
  return found.filter((one) => one !== undefined);
}

/** @throws OperatorError if there is no such submission */
export async function findByReference(storage: Storage, reference: string): Promise<Submission> {
  const [found] = await existing(storage, [reference]);
  if (!found)
    throw new OperatorError(`There is no submission ${reference}. See submissions list --state all.`, EXIT.notFound);
  return found;
}

/** Option that selects the submissions of one person. */
export const emailOption = () =>
  new Option('--email <address>', 'select the submissions of one person, in upper or lower case').argParser((text) => {
    if (!text.includes('@')) throw new InvalidArgumentError('It is not an e-mail address.');
    return text;
  });
