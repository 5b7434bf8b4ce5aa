import { createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/env.ts';
import type { ProofChallenge, ProofPayload } from '../../contract/form-token.ts';
import { RecentSets, REMEMBERED_SECONDS } from './recent-sets.ts';

/** A browser derives one key in 1 to 10 ms, off its main thread, and needs 256 of them on average. */
const ITERATIONS = 5_000;
const PREFIX = '00';
const KEY_BYTES = 32;

/** Longest header looked at, in characters; a browser's has about 550. */
const PROOF_MAX_CHARS = 2_000;

const HEX = /^(?:[0-9a-f]{2})+$/;

const derive = promisify(pbkdf2);

/**
 * Optional proof of work (`ALTCHA_HMAC_KEY`): the browser solves a riddle while its visitor writes. A riddle carries its
 * own signature and end, so none is kept; an answer counts for one submission.
 */
@Injectable()
export class ProofOfWork {
  private readonly key: string | undefined;

  constructor(
    @Inject(SETTINGS) { ALTCHA_HMAC_KEY }: Pick<Settings, 'ALTCHA_HMAC_KEY'>,
    @Inject(RecentSets) private readonly sets: Pick<RecentSets, 'add'>,
  ) {
    this.key = ALTCHA_HMAC_KEY;
  }

  get isAskedFor(): boolean {
    return this.key !== undefined;
  }

  /** Undefined where no proof is asked for. */
  challenge(now = Date.now()): ProofChallenge | undefined {
    if (this.key === undefined) return undefined;
    const parameters = {
      algorithm: 'PBKDF2/SHA-256',
      cost: ITERATIONS,
      // A use is remembered for as long as the riddle can be answered.
      expiresAt: Math.floor(now / 1_000) + REMEMBERED_SECONDS,
      keyLength: KEY_BYTES,
      keyPrefix: PREFIX,
      nonce: randomBytes(16).toString('hex'),
      salt: randomBytes(16).toString('hex'),
    } as const;
    return { parameters, signature: signatureOf(parameters, this.key) };
  }

  /** Whether this header holds the answer to a riddle of ours, in time, and not used for another submission before. */
  async isSolved(header: string | undefined, submissionId: string, now = Date.now()): Promise<boolean> {
    const payload = this.key === undefined || header === undefined ? undefined : parsed(header);
    if (!payload || !this.isOurs(payload.challenge, now) || !(await isAnswer(payload))) return false;
    return (await this.sets.add(`proofs:${payload.challenge.parameters.nonce}`, submissionId)) === 1;
  }

  private isOurs({ parameters, signature }: ProofChallenge, now: number): boolean {
    if (this.key === undefined || parameters.expiresAt * 1_000 < now) return false;
    const expected = Buffer.from(signatureOf(parameters, this.key));
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
}

/** Only what every challenge of ours has, in the order that it is signed in. */
function signatureOf({ algorithm, cost, expiresAt, keyLength, keyPrefix, nonce, salt }: ProofChallenge['parameters'], key: string): string {
  return createHmac('sha256', key).update(JSON.stringify({ algorithm, cost, expiresAt, keyLength, keyPrefix, nonce, salt })).digest('hex');
}

async function isAnswer({ challenge: { parameters }, solution: { counter, derivedKey } }: ProofPayload): Promise<boolean> {
  if (!Number.isInteger(counter) || counter < 0 || counter > 0xffff_ffff || !derivedKey.startsWith(parameters.keyPrefix)) return false;
  const password = Buffer.alloc(20);
  password.write(parameters.nonce, 'hex');
  password.writeUInt32BE(counter, 16);
  const key = await derive(password, Buffer.from(parameters.salt, 'hex'), parameters.cost, parameters.keyLength, 'sha256');
  return key.toString('hex') === derivedKey;
}

function parsed(header: string): ProofPayload | undefined {
  if (header.length > PROOF_MAX_CHARS) return undefined;
  try {
    const { challenge, solution } = JSON.parse(Buffer.from(header, 'base64').toString()) as Partial<ProofPayload>;
    const hasAll = typeof challenge?.parameters === 'object' && challenge.parameters !== null && typeof challenge.signature === 'string';
    return hasAll && typeof solution?.derivedKey === 'string' && HEX.test(solution.derivedKey) ? { challenge, solution } : undefined;
  } catch {
    return undefined;
  }
}
