import type { ProofChallenge, ProofPayload } from 'form-service/contract/form-token';

const fromHex = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const toHex = (bytes: ArrayBuffer) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Finds a riddle's answer by trying. The browser derives each key beside the page's thread, so the visitor notices
 * nothing; it takes a third of a second, or some seconds on an old phone.
 *
 * @throws TypeError where there is no `crypto.subtle`, which is on plain HTTP
 */
export async function solve(challenge: ProofChallenge): Promise<ProofPayload> {
  const { cost, keyLength, keyPrefix, nonce, salt } = challenge.parameters;
  const derivation = { name: 'PBKDF2', hash: 'SHA-256', salt: fromHex(salt), iterations: cost };
  const password = Uint8Array.from([...fromHex(nonce), 0, 0, 0, 0]);
  const counterBytes = new DataView(password.buffer, password.length - 4);
  for (let counter = 0; ; counter++) {
    counterBytes.setUint32(0, counter);
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
    const derivedKey = toHex(await crypto.subtle.deriveBits(derivation, key, keyLength * 8));
    if (derivedKey.startsWith(keyPrefix)) return { challenge, solution: { counter, derivedKey } };
  }
}
