import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { OIDC, type InboxUser } from '../settings/inbox-users.ts';
import { HttpError } from '../http/http-error.ts';
import { serviceWords } from '../contract/service-words.ts';

/** N = 2^17, r = 8, p = 1, as OWASP asks for: 0.35 s of CPU and 128 MiB. */
const [LOG2_COST, PARALLELIZATION] = [17, 1];
const KEY_BYTES = 32;
const SALT_BYTES = 16;

/** Memory limit. One scrypt takes 128 * N * r bytes and a little more. */
const MEMORY_MAX = 160 * 1024 * 1024;

/** Maximum number of verifications that wait or run. The last one waits 18 s, and nginx waits for 30 s. */
const VERIFICATIONS_MAX = 50;
const RETRY_AFTER_SECONDS = 20;

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

/** Hashes a password with a new salt. @param log2Cost lower in tests, which sign in often */
export async function hashPassword(password: string, log2Cost = LOG2_COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await keyOf(password, { log2Cost, p: PARALLELIZATION, salt });
  return ['scrypt', log2Cost, PARALLELIZATION, salt.toString('base64url'), key.toString('base64url')].join('.');
}

function parse(hash: string) {
  const [, log2Cost, p, salt = '', key = ''] = hash.split('.');
  return {
    log2Cost: Number(log2Cost),
    p: Number(p),
    salt: Buffer.from(salt, 'base64url'),
    key: Buffer.from(key, 'base64url'),
  };
}

/** Hash verified for unknown names, so that response times do not reveal which names exist (user enumeration). */
const UNKNOWN = {
  log2Cost: LOG2_COST,
  p: PARALLELIZATION,
  salt: Buffer.alloc(SALT_BYTES),
  key: Buffer.alloc(KEY_BYTES),
};

/** Returns the user with this name and password. A wrong name takes as long as a wrong password. */
export async function findUser(
  users: readonly InboxUser[],
  name: string,
  password: string,
): Promise<InboxUser | undefined> {
  const user = users.find((one) => one.name === name && one.hash !== OIDC);
  const expected = user ? parse(user.hash) : UNKNOWN;
  const given = await keyOf(password, expected);
  return given.length === expected.key.length && timingSafeEqual(given, expected.key) ? user : undefined;
}

const keyOf = (password: string, { log2Cost, p, salt }: Omit<ReturnType<typeof parse>, 'key'>): Promise<Buffer> =>
  derive(password.normalize('NFC'), salt, KEY_BYTES, { N: 2 ** log2Cost, r: 8, p, maxmem: MEMORY_MAX });

/** Verifies passwords one after the other, so that a flood of tries takes one core and 128 MiB. */
@Injectable()
export class PasswordQueue {
  private verifications = 0;
  private latest: Promise<unknown> = Promise.resolve();

  /** Does {@link findUser} after those before it. @throws HttpError 503 if too many wait */
  async findUser(...found: Parameters<typeof findUser>): Promise<InboxUser | undefined> {
    if (this.verifications >= VERIFICATIONS_MAX)
      throw new HttpError('unavailable', serviceWords('signIn').tooMany, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    this.verifications++;
    const verification = this.latest.then(() => findUser(...found));
    this.latest = verification.catch(() => undefined).finally(() => this.verifications--);
    return verification;
  }
}
