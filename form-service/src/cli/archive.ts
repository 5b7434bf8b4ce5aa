import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { createTarDecoder } from 'modern-tar';
import type { ErasuresTable, Schema } from '../database/schema.ts';
import { EXIT, OperatorError } from './terminal.ts';

/**
 * An archive of `backup` is a tar with these members, in this order: pages of `submissions/`, each followed by a page of
 * `followUps/` and by the files of its résumés; `erasures.jsonl`; `properties.jsonl`; the manifest. A page has a row of
 * its table in each line, as JSON.
 */
const ROWS = /^(submissions|followUps|erasures|properties)(?:\/\d+)?\.jsonl$/;
export const RESUMES = 'resumes/';
export const MANIFEST = 'manifest.json';

/** The last member: without it an archive is not whole. */
export interface Manifest {
  readonly createdAt: string;
  /** The last migration of the database. */
  readonly migration: string;
  /** Every other member. */
  readonly members: Readonly<Record<string, { readonly size: number; readonly sha256: string }>>;
}

/** A résumé, or a page of rows: each fits into memory many times, and anything larger is of another archive. */
const MEMBER_MAX_BYTES = 256 * 1024 * 1024;

export interface Member {
  readonly name: string;
  readonly content: Buffer;
}

/** The table whose rows a member holds. */
export function tableOf({ name }: Member): keyof Schema | undefined {
  return ROWS.exec(name)?.[1] as keyof Schema | undefined;
}

/** Reads an archive member by member. */
export async function* membersOf(archive: Readable): AsyncGenerator<Member> {
  const members = Readable.toWeb(archive).pipeThrough(createTarDecoder({ strict: true }));
  for await (const { header, body } of members) {
    const { name, type, size } = header;
    if (size > MEMBER_MAX_BYTES) throw new Error(`${name} is too large`);
    const content = await buffer(body);
    if (type === 'file') yield { name, content };
  }
}

/**
 * Reads all of an archive, and compares every member with the manifest.
 *
 * @returns the manifest, and those rows that are needed before the first member can be written
 * @throws OperatorError when it is not whole
 */
export async function checkedArchive(archive: Readable): Promise<{ manifest: Manifest; erasures: ErasuresTable[] }> {
  const found: Record<string, Manifest['members'][string]> = {};
  let manifest: Manifest | undefined;
  let erasures: ErasuresTable[] = [];
  try {
    for await (const member of membersOf(archive)) {
      const { name, content } = member;
      if (name === MANIFEST) manifest = JSON.parse(content.toString()) as Manifest;
      else found[name] = digestOf(content);
      if (tableOf(member) === 'erasures') erasures = readLines(member);
    }
  } catch {
    manifest = undefined;
  }
  if (!manifest || !isDeepStrictEqual(manifest.members, found))
    throw new OperatorError('This is no whole archive of submissions. Nothing was changed.', EXIT.failure);
  return { manifest, erasures };
}

/** What the manifest says of a member. */
export function digestOf(content: Buffer): Manifest['members'][string] {
  return { size: content.length, sha256: hash('sha256', content, 'hex') };
}

export function readLines<Row>({ content }: Member): Row[] {
  const lines = content.toString().split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Row);
}
