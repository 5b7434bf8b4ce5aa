import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createTarPacker } from 'modern-tar';
import { MIGRATIONS } from '../database/database.ts';
import { noteBackup } from '../database/properties.ts';
import type { SubmissionRow } from '../database/schema.ts';
import { PAGE } from '../submissions/submissions.repository.ts';
import { digestOf, MANIFEST, RESUMES, type Manifest } from './archive.ts';
import type { Operation } from './queries.ts';

/** Adds a member to the archive. Resolves when there is room for the next one. */
type Add = (name: string, content: Buffer) => Promise<void>;

/** `backup`: writes an archive of all submissions to standard output or to a new file, while everything runs. */
export async function backup(operation: Operation, { out }: { out?: string }): Promise<void> {
  const { terminal, database } = operation;
  const begunAt = new Date();
  terminal.refuseBytes(out);
  const to = out ? createWriteStream(out, { flags: 'wx', flush: true }) : terminal.stdout;
  if (out) await once(to, 'open');
  const { readable, controller } = createTarPacker();
  const members: Record<string, Manifest['members'][string]> = {};
  const add: Add = async (name, content) => {
    members[name] = digestOf(content);
    const member = controller.add({ name, size: content.length, mode: 0o600 }).getWriter();
    await member.write(content);
    await member.close();
  };
  const write = async () => {
    await addRows(operation, add);
    const migration = Object.keys(MIGRATIONS).at(-1) ?? '';
    const manifest: Manifest = { createdAt: new Date().toISOString(), migration, members: { ...members } };
    await add(MANIFEST, Buffer.from(JSON.stringify(manifest, null, 1)));
    controller.finalize();
  };
  try {
    await Promise.all([
      pipeline(readable, to, { end: out !== undefined }),
      write().catch((error: Error) => {
        controller.error(error);
        throw error;
      }),
    ]);
  } catch (error) {
    if (out) await rm(out);
    throw error;
  }
  await noteBackup(database, begunAt);
}

/**
 * Adds all rows by the order of their ids, each page followed by its files. A submission that changes meanwhile is there
 * as it was or as it is, and its file was there before its row. What is erased meanwhile is left out when the archive is
 * restored, since the erasures are read last.
 */
async function addRows({ database, files, terminal }: Operation, add: Add): Promise<void> {
  let [last, page, count, fileCount] = ['', 0, 0, 0];
  for (let rows: SubmissionRow[] = []; page === 0 || rows.length === PAGE; count += rows.length) {
    rows = await database.run((db) =>
      db.selectFrom('submissions').selectAll().where('id', '>', last).orderBy('id').limit(PAGE).execute(),
    );
    last = rows.at(-1)?.id ?? last;
    const name = `${String(++page).padStart(6, '0')}.jsonl`;
    await add(`submissions/${name}`, linesOf(rows));
    const ids = rows.map(({ id }) => id);
    const followUps = await database.run((db) =>
      db
        .selectFrom('followUps')
        .selectAll()
        .where('submissionId', 'in', ['', ...ids])
        .execute(),
    );
    if (followUps.length > 0) await add(`followUps/${name}`, linesOf(followUps));
    for (const { id, resume } of rows) {
      if (!resume) continue;
      const content = await files.open(resume.key).then(buffer, (error: Error) => {
        terminal.note(`The résumé of ${id} is left out: ${error.message}`);
      });
      if (content) await add(RESUMES + resume.key, content);
      fileCount += content ? 1 : 0;
      terminal.progress(`${count} submissions, ${fileCount} files`);
    }
    terminal.progress(`${count + rows.length} submissions, ${fileCount} files`);
  }
  for (const table of ['erasures', 'properties'] as const)
    await add(`${table}.jsonl`, linesOf(await database.run((db) => db.selectFrom(table).selectAll().execute())));
}

/** A row in each line. The workers that hold leases now will be gone when the archive is restored. */
function linesOf(rows: readonly object[]): Buffer {
  const withoutLease = { leaseToken: undefined, leaseUntil: undefined };
  return Buffer.from(rows.map((row) => `${JSON.stringify({ ...row, ...withoutLease })}\n`).join(''));
}
