import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { createTarDecoder } from 'modern-tar';
import type { ErasuresTable, Schema } from '../database/schema.ts';
import { EXIT, OperatorError } from './terminal.ts';

/**
 * Tables that are one member of an archive each. An archive is a tar with these members in order: pages of
 * `submissions/`, each followed by the files of its résumés; the other tables; the manifest. A page has one row as JSON
 * per line.
 */
export const SINGLE_TABLES = ['notifications', 'properties', 'digests', 'lastRuns', 'erasures'] as const;
const ROWS = new RegExp(`^(submissions|${SINGLE_TABLES.join('|')})(?:/\\d+)?\\.jsonl$`);
export const RESUMES = 'resumes/';
export const MANIFEST = 'manifest.json';

/** The last member. An archive without it is incomplete. */
export interface Manifest {
  readonly createdAt: string;
  /** Name of the latest migration of the database. */
  readonly migration: string;
  readonly counts: { readonly submissions: number; readonly files: number; readonly filesMissing: number };
  /** Size and digest of every other member. */
  readonly members: Readonly<Record<string, { readonly size: number; readonly sha256: string }>>;
}

/** Maximum size of a member, far above that of a résumé or a page of rows. A larger one is from another archive. */
const MEMBER_MAX_BYTES = 256 * 1024 * 1024;

export interface Member {
  readonly name: string;
  readonly content: Buffer;
  /** Table whose rows the member contains. */
  readonly table: keyof Schema | undefined;
}

/** Reads an archive member by member. */
export async function* membersOf(archive: Readable): AsyncGenerator<Member> {
  const members = Readable.toWeb(archive).pipeThrough(createTarDecoder({ strict: true }));
  for await (const { header, body } of members) {
    const { name, type, size } = header;
    if (size > MEMBER_MAX_BYTES) throw new Error(`${name} is too large`);
    const content = await buffer(body);
    if (type === 'file') yield { name, content, table: ROWS.exec(name)?.[1] as keyof Schema | undefined };
  }
}

/**
 * Reads a whole archive, and compares every member with the manifest.
 *
 * @returns the manifest and the erasures, which the restore needs before the first submission
 * @throws OperatorError if the archive is incomplete or changed
 */
export async function checkedArchive(archive: Readable): Promise<{ manifest: Manifest; erasures: ErasuresTable[] }> {
  const found: Record<string, Manifest['members'][string]> = {};
  let manifest: Manifest | undefined;
  let erasures: ErasuresTable[] = [];
  try {
    for await (const member of membersOf(archive)) {
      const { name, content, table } = member;
      if (name === MANIFEST) manifest = JSON.parse(content.toString()) as Manifest;
      else found[name] = digestOf(content);
      if (table === 'erasures') erasures = readLines(member);
    }
  } catch {
    // The rest is not a tar.
    manifest = undefined;
  }
  if (manifest && isDeepStrictEqual(manifest.members, found)) return { manifest, erasures };
  const words = 'The archive is incomplete or damaged, so nothing was changed. Use another archive.';
  throw new OperatorError(words, EXIT.failure);
}

/** Returns the manifest's entry of a member. */
export function digestOf(content: Buffer): Manifest['members'][string] {
  return { size: content.length, sha256: hash('sha256', content, 'hex') };
}

export function readLines<Row>({ content }: Pick<Member, 'content'>): Row[] {
  const lines = content.toString().split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Row);
}
