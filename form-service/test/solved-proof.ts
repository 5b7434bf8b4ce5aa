import { pbkdf2Sync } from 'node:crypto';
import type { ProofChallenge, ProofPayload } from '../src/contract/form-token.ts';

/** Does the work of a browser. */
export function solved(challenge: ProofChallenge): ProofPayload {
  const { nonce, salt, cost, keyLength, keyPrefix } = challenge.parameters;
  const password = Buffer.alloc(20, nonce, 'hex');
  for (let counter = 0; ; counter++) {
    password.writeUInt32BE(counter, 16);
    const derivedKey = pbkdf2Sync(password, Buffer.from(salt, 'hex'), cost, keyLength, 'sha256').toString('hex');
    if (derivedKey.startsWith(keyPrefix)) return { challenge, solution: { counter, derivedKey } };
  }
}
