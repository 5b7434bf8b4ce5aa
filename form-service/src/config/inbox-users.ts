import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const LOG2_COST = 15;
const KEY_BYTES = 32;
const SALT_BYTES = 16;

/** Memory of one scrypt is 128 * N * r bytes, here 32 MiB, and Node.js allows exactly that much unless told. */
const MEMORY_MAX = 64 * 1024 * 1024;

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

/** What a user sees: enquiries, applications, or both. */
export type Role = 'sales' | 'hr' | 'all';

/** Somebody who may open the inbox. */
export interface InboxUser {
  readonly name: string;
  readonly role: Role;
  /** `scrypt.LOG2N.SALT.KEY`, in characters that no `.env` file needs to quote. */
  readonly hash: string;
}

const LINE = /^([\w.@-]{1,64}):(sales|hr|all):(scrypt\.\d{2}\.[\w-]{16,}\.[\w-]{32,})$/;

/**
 * Reads `INBOX_USERS`: one `name:role:hash` a line, or several separated by white space.
 *
 * @returns undefined when a line is not one, or a name stands twice
 */
export function parseUsers(text: string): readonly InboxUser[] | undefined {
  const lines = text.split(/\s+/).filter((line) => line !== '');
  const users = lines.flatMap((line) => {
    const [, name, role, hash] = LINE.exec(line) ?? [];
    return name && role && hash ? [{ name, role: role as Role, hash }] : [];
  });
  const names = new Set(users.map(({ name }) => name));
  return users.length === lines.length && names.size === lines.length ? users : undefined;
}

/** A password's hash, with a salt of its own. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await keyOf(password, salt, LOG2_COST);
  return ['scrypt', LOG2_COST, salt.toString('base64url'), key.toString('base64url')].join('.');
}

/** What an unknown name's password is compared with, so that it takes as long as a known one's. */
const NOBODY: InboxUser = {
  name: '',
  role: 'all',
  hash: `scrypt.${LOG2_COST}.${'A'.repeat(22)}.${'A'.repeat(43)}`,
};

/** The user with this name and password, or undefined. A wrong name takes as long as a wrong password. */
export async function findUser(
  users: readonly InboxUser[],
  name: string,
  password: string,
): Promise<InboxUser | undefined> {
  const user = users.find((one) => one.name === name);
  const [, cost = '', salt = '', key = ''] = (user ?? NOBODY).hash.split('.');
  const expected = Buffer.from(key, 'base64url');
  const given = await keyOf(password, Buffer.from(salt, 'base64url'), Number(cost));
  return given.length === expected.length && timingSafeEqual(given, expected) ? user : undefined;
}

function keyOf(password: string, salt: Buffer, log2Cost: number): Promise<Buffer> {
  return derive(password.normalize('NFC'), salt, KEY_BYTES, { N: 2 ** log2Cost, r: 8, p: 1, maxmem: MEMORY_MAX });
}
