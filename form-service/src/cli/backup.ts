import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ArchiveError, archiveFolder, restoreFolder } from '../storage/folder-archive.ts';
import { EXIT, OperatorError } from './operator-error.ts';
import type { Terminal } from './terminal.ts';

/** `backup`: an archive of all submissions, to standard output or to a new file. */
export async function backup(root: string, terminal: Terminal, options: { out?: string }): Promise<void> {
  if (!options.out && terminal.stdout.isTTY) throw new OperatorError('An archive does not belong on a terminal: use "> file" or --out file.', EXIT.usage);
  await inWords(options.out ? writeFile(root, options.out) : archiveFolder(root, terminal.stdout));
}

/** `restore`: fills an empty folder from an archive, while nothing else runs. */
export async function restore(root: string, terminal: Terminal, stdin: Readable, options: { in?: string }): Promise<void> {
  const counts = await inWords(restoreFolder(root, options.in ? createReadStream(options.in) : stdin));
  terminal.note(
    `Restored: ${Object.entries(counts)
      .map(([state, count]) => `${count} ${state}`)
      .join(', ')}.`,
  );
}

async function writeFile(root: string, path: string): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  await once(file, 'open');
  try {
    await archiveFolder(root, file);
    await finished(file.end());
  } catch (error) {
    await rm(path);
    throw error;
  }
}

async function inWords<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof ArchiveError ? new OperatorError(error.message, EXIT.trouble) : error;
  });
}
