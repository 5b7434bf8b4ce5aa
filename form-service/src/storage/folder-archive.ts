import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FolderLayout } from './folder-layout.ts';
import { SUBMISSION_STATES, type SubmissionState } from './submission.ts';

/**
 * What an archive holds, in the order in which it is read from a folder in use. A submission moves from pending to the
 * other states, so those are read after it and one that moves meanwhile is there once or twice, never missing; failed and
 * quarantined are read before it too, because an operator's resend or release moves it back. The journal comes last: it knows
 * what arrived, or was erased, in the meantime.
 */
const MEMBERS = ['failed', 'quarantined', 'pending', 'quarantined', 'failed', 'delivered', 'files', 'damaged', 'journal'] as const;

/** Of tar: files changed or went while it read them, which is how a folder in use looks. */
const CHANGED_MEANWHILE = 1;

/** The folder holds submissions already, or what was given is no archive of submissions. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

/** Writes a gzipped tar of a store's folder, which may be in use. @throws ArchiveError */
export async function archiveFolder(root: string, to: Writable): Promise<void> {
  const options = ['--hard-dereference', '--warning=no-file-changed', '--warning=no-file-removed'];
  const tar = spawn('tar', ['--create', '--gzip', ...options, '--directory', root, ...MEMBERS], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [code] = await Promise.all([exitOf(tar), pipeline(tar.stdout, to, { end: false })]);
  if (code > CHANGED_MEANWHILE) throw new ArchiveError(`tar could not read ${root} (exit code ${code}).`);
}

/**
 * Fills an empty store's folder, which no process may be using, all at once: after a failure it is as it was.
 *
 * @returns how many submissions are in each state now
 * @throws ArchiveError
 */
export async function restoreFolder(root: string, from: Readable): Promise<Record<SubmissionState, number>> {
  const layout = new FolderLayout(root);
  if (Object.values(await countRecords(layout)).some((count) => count > 0)) throw new ArchiveError(`${root} is not empty.`);
  await mkdir(root, { recursive: true, mode: 0o700 });
  const unpacked = await mkdtemp(join(root, 'restoring-'));
  try {
    const tar = spawn('tar', ['--extract', '--gzip', '--no-same-owner', '--directory', unpacked], { stdio: ['pipe', 'ignore', 'pipe'] });
    // A tar that has seen enough ends its input; its exit code says why.
    const [code] = await Promise.all([exitOf(tar), pipeline(from, tar.stdin).catch(() => undefined)]);
    const names = await readdir(unpacked);
    if (code !== 0 || !MEMBERS.every((name) => names.includes(name)) || names.length !== new Set(MEMBERS).size) throw new ArchiveError('This is no whole archive of submissions.');
    for (const name of names) {
      await rm(join(root, name), { recursive: true, force: true });
      await rename(join(unpacked, name), join(root, name));
    }
    return await countRecords(layout);
  } finally {
    await rm(unpacked, { recursive: true, force: true });
  }
}

async function countRecords(layout: FolderLayout): Promise<Record<SubmissionState, number>> {
  const counts = SUBMISSION_STATES.map(async (state) => {
    const names = await Promise.all(layout.foldersOf(state).map((folder) => readdir(folder).catch(() => [])));
    return [state, names.flat().filter((name) => name.endsWith('.json')).length] as const;
  });
  return Object.fromEntries(await Promise.all(counts)) as Record<SubmissionState, number>;
}

async function exitOf(child: ChildProcess): Promise<number> {
  child.stderr?.resume();
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 128;
}
