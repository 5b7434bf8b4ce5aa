import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { extract } from 'tar-stream';
import { EXIT, OperatorError } from './terminal.ts';

/**
 * An archive of `backup` is a tar with these members, in this order: pages of rows as JSON lines, each page followed by
 * the files of its résumés; what is erased; the properties of the installation; the manifest.
 */
export const SUBMISSIONS = 'submissions/';
export const FOLLOW_UPS = 'follow-ups/';
export const RESUMES = 'resumes/';
export const ERASURES = 'erasures.jsonl';
export const PROPERTIES = 'properties.jsonl';
export const MANIFEST = 'manifest.json';

/** The last member: without it an archive is not whole. */
export interface Manifest {
  readonly createdAt: string;
  /** The last migration of the database. */
  readonly migration: string;
  /** Every other member. */
  readonly members: Readonly<Record<string, { readonly size: number; readonly sha256: string }>>;
}

/** A member while the archive is read. What is not taken of it is passed over. */
export interface Member {
  readonly name: string;
  readonly size: number;
  readonly content: AsyncIterable<Buffer>;
}

/** Reads an archive member by member. */
export async function* membersOf(archive: Readable): AsyncGenerator<Member> {
  const members = extract();
  archive.on('error', (error) => members.destroy(error));
  archive.pipe(members);
  for await (const entry of members) {
    const { name, type, size = 0 } = entry.header;
    if (type === 'file') yield { name, size, content: entry as AsyncIterable<Buffer> };
    entry.resume();
  }
}

/**
 * Reads all of an archive, and compares every member with the manifest.
 *
 * @returns the manifest, and those lines that are needed before the first member can be written
 * @throws OperatorError when it is not whole
 */
export async function checkedArchive(archive: Readable): Promise<{ manifest: Manifest; erasures: Erasure[] }> {
  const found: Record<string, { size: number; sha256: string }> = {};
  let manifest: Manifest | undefined;
  let erasures: Erasure[] = [];
  try {
    for await (const { name, size, content } of membersOf(archive)) {
      const digest = createHash('sha256');
      const kept: Buffer[] = [];
      for await (const chunk of content) {
        digest.update(chunk);
        if (name === MANIFEST || name === ERASURES) kept.push(chunk);
      }
      if (name === MANIFEST) manifest = JSON.parse(Buffer.concat(kept).toString()) as Manifest;
      else found[name] = { size, sha256: digest.digest('hex') };
      if (name === ERASURES) erasures = parseLines<Erasure>(Buffer.concat(kept));
    }
  } catch {
    manifest = undefined;
  }
  if (!manifest || !isEqual(manifest.members, found))
    throw new OperatorError('This is no whole archive of submissions. Nothing was changed.', EXIT.failure);
  return { manifest, erasures };
}

/** The proof of an erasure, as the table `erasures` holds it. */
export interface Erasure {
  readonly id: string;
  readonly erasedAt: number;
}

export async function readLines<T>({ content }: Member): Promise<T[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return parseLines(Buffer.concat(chunks));
}

function parseLines<T>(bytes: Buffer): T[] {
  const lines = bytes.toString().split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as T);
}

function isEqual(wanted: Manifest['members'], found: Manifest['members']): boolean {
  const names = Object.keys(wanted);
  if (names.length !== Object.keys(found).length) return false;
  return names.every(
    (name) => wanted[name]?.sha256 === found[name]?.sha256 && wanted[name]?.size === found[name]?.size,
  );
}
