import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { solved } from '../../../test/solved-proof.ts';
import type { ProofPayload } from '../../contract/form-token.ts';
import { LocalSets } from './local-sets.ts';
import { ProofOfWork } from './proof-of-work.ts';

const HOUR = 3_600_000;

/** Made by altcha-lib 2.8.0 with the key of {@link proofs}: our format is that of ALTCHA. */
const FOREIGN: ProofPayload = {
  challenge: {
    parameters: {
      algorithm: 'PBKDF2/SHA-256',
      cost: 5_000,
      expiresAt: 1_795_260_000,
      keyLength: 32,
      keyPrefix: '00',
      nonce: 'c868c4b9e3c85459f0cdf05c79dce553',
      salt: '2a31ba034613eeecd338640ca54e3a16',
    },
    signature: 'a6652676b3bd2248d30ad5ed4ff520b1ae7a01fda77d74d0d1ea010f50c3da8e',
  },
  solution: { counter: 429, derivedKey: '005ca5a457bc11ee22f63cb4c0b94b7dd5b25d0f820e636dfb8e96f35ae72900' },
};
const THEN = FOREIGN.challenge.parameters.expiresAt * 1_000 - HOUR;

const header = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64');

function proofsWith(ALTCHA_HMAC_KEY: string | undefined) {
  const sets = new LocalSets(HOUR);
  return new ProofOfWork({ ALTCHA_HMAC_KEY }, { add: async (name, member) => sets.add(name, member) });
}
const proofs = () => proofsWith('k'.repeat(32));

describe('the proof of work', () => {
  it('is not asked for without a key', async () => {
    const off = proofsWith(undefined);
    expect([off.isAskedFor, off.challenge(), await off.isSolved(header(FOREIGN), 'a', THEN)]).toEqual([false, undefined, false]);
  });

  it('is what ALTCHA makes of it', async () => {
    expect(await proofs().isSolved(header(FOREIGN), 'a', THEN)).toBe(true);
    expect(await proofsWith('j'.repeat(32)).isSolved(header(FOREIGN), 'a', THEN)).toBe(false);
  });

  it('is given for an hour, and taken for one submission, however often that is sent', async () => {
    const own = proofs();
    const challenge = own.challenge(THEN);
    if (!challenge) throw new Error('no challenge');
    const answer = header(solved(challenge));
    expect(await own.isSolved(answer, 'late', THEN + HOUR + 1)).toBe(false);
    expect(await own.isSolved(answer, 'one', THEN + HOUR)).toBe(true);
    expect(await own.isSolved(answer, 'one', THEN)).toBe(true);
    expect(await own.isSolved(answer, 'another', THEN)).toBe(false);
    expect(challenge.parameters.nonce).not.toBe(own.challenge(THEN)?.parameters.nonce);
  });

  it.each<[string, unknown]>([
    ['an easier riddle', { ...FOREIGN, challenge: { ...FOREIGN.challenge, parameters: { ...FOREIGN.challenge.parameters, keyPrefix: '0' } } }],
    ['a cheaper riddle', { ...FOREIGN, challenge: { ...FOREIGN.challenge, parameters: { ...FOREIGN.challenge.parameters, cost: 1 } } }],
    ['a later end', { ...FOREIGN, challenge: { ...FOREIGN.challenge, parameters: { ...FOREIGN.challenge.parameters, expiresAt: 1_895_260_000 } } }],
    ['no signature', { ...FOREIGN, challenge: { parameters: FOREIGN.challenge.parameters } }],
    ['another counter', { ...FOREIGN, solution: { ...FOREIGN.solution, counter: 428 } }],
    ['a counter beyond four bytes', { ...FOREIGN, solution: { ...FOREIGN.solution, counter: 2 ** 32 + 429 } }],
    ['a counter that is a text', { ...FOREIGN, solution: { ...FOREIGN.solution, counter: '429' } }],
    ['another key', { ...FOREIGN, solution: { ...FOREIGN.solution, derivedKey: `00${'a'.repeat(62)}` } }],
    ['no solution', { challenge: FOREIGN.challenge }],
    ['nothing', null],
  ])('is refused with %s', async (_what, payload) => {
    expect(await proofs().isSolved(header(payload), 'a', THEN)).toBe(false);
  });

  it('made up of anything is no proof, and breaks nothing', async () => {
    const { challenge, solution } = FOREIGN;
    const odd = fc.oneof(fc.anything(), fc.record({ challenge: fc.oneof(fc.constant(challenge), fc.anything()), solution: fc.anything() }), fc.record({ challenge: fc.anything(), solution: fc.constant(solution) }));
    await fc.assert(
      fc.asyncProperty(odd, fc.string({ unit: 'binary' }), async (payload, text) => {
        const json = JSON.stringify(payload, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)) ?? '';
        for (const given of [text, Buffer.from(json).toString('base64')]) expect(await proofs().isSolved(given, 'a', THEN)).toBe(false);
      }),
    );
  });
});
