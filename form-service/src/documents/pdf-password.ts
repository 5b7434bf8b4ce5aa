import { createCipheriv, createHash } from 'node:crypto';
import type { RandomAccessFile } from './random-access-file.ts';

/** A trailer, or the stream that replaces it, is searched for within so many bytes of its usual place. */
const REACH_BYTES = 16 * 1024;
const PIECE_BYTES = 256 * 1024;
/** The padding of passwords; an empty password consists of nothing else (ISO 32000-2, 7.6.4.3). */
const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');

/** Whether the trailer says that the contents are encrypted, with a password or without. */
export async function isEncrypted(file: RandomAccessFile): Promise<boolean> {
  return /\/Encrypt\s*[\d<]/.test(await trailerOf(file));
}

/**
 * Whether a PDF certainly asks for a password when it is opened. A PDF with only an owner password, against changing or
 * printing, opens without one; a PDF that is written in an unknown way may do so too.
 */
export async function asksForPassword(file: RandomAccessFile): Promise<boolean> {
  const trailer = await trailerOf(file);
  const references = new Set(
    Array.from(trailer.matchAll(/\/Encrypt\s+(\d+\s+\d+)\s+R/g), ([, one = '']) => one.replace(/\s+/, ' ')),
  );
  const [reference, ...others] = references;
  if (!reference || others.length > 0) return false;
  const dictionary = await objectText(file, `${reference} obj`);
  if (!dictionary || !/\/Filter\s*\/Standard\b/.test(dictionary)) return false;
  return opensWithoutPassword(dictionary, trailer) === false;
}

async function trailerOf(file: RandomAccessFile): Promise<string> {
  const tail = (await file.readUpTo(file.size - REACH_BYTES, REACH_BYTES)).toString('latin1');
  const start = Number(tail.slice(tail.lastIndexOf('startxref')).match(/\d+/)?.[0] ?? 0);
  const head = (await file.readUpTo(0, REACH_BYTES)).toString('latin1');
  return `${head}\n${tail}\n${start > 0 ? (await file.readUpTo(start, REACH_BYTES)).toString('latin1') : ''}`;
}

/** The beginning of an object, or undefined where the object is written twice. */
async function objectText(file: RandomAccessFile, name: string): Promise<string | undefined> {
  const found = new Set<number>();
  for (let start = 0; start < file.size && found.size < 2; start += PIECE_BYTES) {
    const piece = await file.readUpTo(start, PIECE_BYTES + name.length);
    for (let at = piece.indexOf(name); at >= 0 && found.size < 2; at = piece.indexOf(name, at + 1)) {
      if (!/\d/.test(String.fromCharCode(piece[at - 1] ?? 0))) found.add(start + at);
    }
  }
  const [at, ...others] = found;
  return at === undefined || others.length > 0
    ? undefined
    : (await file.readUpTo(at, 4096)).toString('latin1').split('endobj')[0];
}

/** Whether the empty password opens the document; undefined where the kind of encryption is not supported here. */
function opensWithoutPassword(dictionary: string, trailer: string): boolean | undefined {
  const number = (key: string) => Number(new RegExp(String.raw`/${key}\s+(-?\d+)`).exec(dictionary)?.[1]);
  const [version, revision] = [number('V'), number('R')];
  const user = stringAfter(dictionary, 'U');
  const owner = stringAfter(dictionary, 'O')?.subarray(0, 32);
  if (user?.length === undefined || user.length < 32 || owner?.length !== 32) return undefined;
  if (version >= 4 && !/\/StmF\s*\/StdCF\b/.test(dictionary)) return undefined;
  if (revision === 5) return sha(256, user.subarray(32, 40)).equals(user.subarray(0, 32));
  if (revision === 6) return hardenedHash(user.subarray(32, 40)).equals(user.subarray(0, 32));
  if (![2, 3, 4].includes(revision)) return undefined;
  const id = stringAfter(trailer, String.raw`ID\s*\[`) ?? Buffer.alloc(0);
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(number('P') | 0);
  const open = version >= 4 && /\/EncryptMetadata\s+false/.test(dictionary) ? Buffer.alloc(4, 0xff) : Buffer.alloc(0);
  let key: Buffer = md5(PADDING, owner, permissions, id, open);
  const length = version === 4 ? 16 : version === 1 ? 5 : (number('Length') || 40) / 8;
  if (!Number.isInteger(length) || length < 5 || length > 16) return undefined;
  const rounds = revision === 2 ? 0 : 50;
  for (let round = 0; round < rounds; round++) key = md5(key.subarray(0, length));
  key = key.subarray(0, length);
  if (revision === 2) return rc4(key, PADDING).equals(user.subarray(0, 32));
  let proof: Buffer = md5(PADDING, id);
  for (let round = 0; round < 20; round++) proof = rc4(Buffer.from(key.map((byte) => byte ^ round)), proof);
  return proof.equals(user.subarray(0, 16));
}

/** The string after a key, in brackets with escapes or in hexadecimal (7.3.4). */
function stringAfter(text: string, key: string): Buffer | undefined {
  const start = new RegExp(String.raw`/${key}\s*(?=[(<])`).exec(text);
  if (!start) return undefined;
  const rest = text.slice(start.index + start[0].length);
  if (rest.startsWith('<')) return Buffer.from(rest.slice(1, rest.indexOf('>')).replace(/\s/g, ''), 'hex');
  const bytes: number[] = [];
  let depth = 0;
  for (const [token, octal, escaped] of rest.matchAll(/\\(?:([0-7]{1,3})|(\r\n|[^]))|\r\n|[^]/g)) {
    if (token === '(' && depth++ === 0) continue;
    if (token === ')' && --depth === 0) return Buffer.from(bytes);
    if (octal) bytes.push(Number.parseInt(octal, 8) & 0xff);
    else if (escaped === undefined) bytes.push(token === '\r\n' || token === '\r' ? 10 : token.charCodeAt(0));
    else if (!/^[\r\n]/.test(escaped))
      bytes.push({ n: 10, r: 13, t: 9, b: 8, f: 12 }[escaped] ?? escaped.charCodeAt(0));
  }
  return undefined;
}

const md5 = (...parts: readonly Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest();
const sha = (bits: number, bytes: Buffer) => createHash(`sha${bits}`).update(bytes).digest();

/** The hash of an empty password since PDF 2.0 (7.6.4.3.4, algorithm 2.B). */
function hardenedHash(salt: Buffer): Buffer {
  let hash = sha(256, salt);
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const cipher = createCipheriv('aes-128-cbc', hash.subarray(0, 16), hash.subarray(16, 32)).setAutoPadding(false);
    const mixed = cipher.update(Buffer.concat(Array.from({ length: 64 }, () => hash)));
    hash = sha([256, 384, 512][mixed.subarray(0, 16).reduce((sum, byte) => sum + byte) % 3] ?? 256, mixed);
    last = mixed.at(-1) ?? 0;
  }
  return hash.subarray(0, 32);
}

/** RC4 is implemented here because OpenSSL 3 does not have it. */
function rc4(key: Buffer, bytes: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const swap = (a: number, b: number) => ([state[a], state[b]] = [state[b] ?? 0, state[a] ?? 0]);
  for (let i = 0, j = 0; i < 256; i++) swap(i, (j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) & 0xff));
  let [i, j] = [0, 0];
  const mixed = bytes.map((byte) => {
    i = (i + 1) & 0xff;
    j = (j + (state[i] ?? 0)) & 0xff;
    swap(i, j);
    return byte ^ (state[((state[i] ?? 0) + (state[j] ?? 0)) & 0xff] ?? 0);
  });
  return Buffer.from(mixed);
}
