import { pbkdf2Sync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { ProofChallenge } from 'form-service/contract/form-token';
import { solve } from './proof-of-work.ts';

const challenge: ProofChallenge = {
  parameters: { algorithm: 'PBKDF2/SHA-256', cost: 50, expiresAt: 1_795_260_000, keyLength: 32, keyPrefix: '00', nonce: 'c868c4b9e3c85459f0cdf05c79dce553', salt: '2a31ba034613eeecd338640ca54e3a16' },
  signature: 'a1',
};

test('the answer is the first counter whose key begins as asked, and comes with the riddle as it was', async () => {
  const { nonce, salt, cost } = challenge.parameters;
  const keyOf = (counter: number) => {
    const password = Buffer.alloc(20, nonce, 'hex');
    password.writeUInt32BE(counter, 16);
    return pbkdf2Sync(password, Buffer.from(salt, 'hex'), cost, 32, 'sha256').toString('hex');
  };
  const { solution, ...rest } = await solve(challenge);
  expect(rest).toEqual({ challenge });
  expect(solution.derivedKey).toBe(keyOf(solution.counter));
  expect(solution.derivedKey).toMatch(/^00/);
  for (let counter = 0; counter < solution.counter; counter++) expect(keyOf(counter)).not.toMatch(/^00/);
});
