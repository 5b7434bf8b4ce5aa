import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { OIDC, type InboxUser } from '../../config/inbox-users.ts';

const LOG2_COST = 15;
const KEY_BYTES = 32;
const SALT_BYTES = 16;

/** Memory limit. One scrypt takes 128 * N * r bytes, here 32 MiB, which is also Node.js's default limit. */
const MEMORY_MAX = 64 * 1024 * 1024;

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

/** Hashes a password with a new salt. @param log2Cost lower in tests, which sign in often */
export async function hashPassword(password: string, log2Cost = LOG2_COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await keyOf(password, salt, log2Cost);
  return ['scrypt', log2Cost, salt.toString('base64url'), key.toString('base64url')].join('.');
}

const costOf = (hash: string) => Number(hash.split('.')[1]);

/**
 * Hash verified for unknown names, so that response times do not reveal which names exist (user enumeration). It costs as
 * much as that of the users.
 */
function unknownHash(users: readonly InboxUser[]): string {
  const costs = users.filter(({ hash }) => hash !== OIDC).map(({ hash }) => costOf(hash));
  return `scrypt.${costs.length > 0 ? Math.max(...costs) : LOG2_COST}.${'A'.repeat(22)}.${'A'.repeat(43)}`;
}

/** Returns the user with this name and password. A wrong name takes as long as a wrong password. */
export async function findUser(
  users: readonly InboxUser[],
  name: string,
  password: string,
): Promise<InboxUser | undefined> {
  const user = users.find((one) => one.name === name && one.hash !== OIDC);
  const [, cost = '', salt = '', key = ''] = (user?.hash ?? unknownHash(users)).split('.');
  const expected = Buffer.from(key, 'base64url');
  const given = await keyOf(password, Buffer.from(salt, 'base64url'), Number(cost));
  return given.length === expected.length && timingSafeEqual(given, expected) ? user : undefined;
}

function keyOf(password: string, salt: Buffer, log2Cost: number): Promise<Buffer> {
  return derive(password.normalize('NFC'), salt, KEY_BYTES, { N: 2 ** log2Cost, r: 8, p: 1, maxmem: MEMORY_MAX });
}
