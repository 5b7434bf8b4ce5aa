import { hash } from 'node:crypto';
import { isIPv6 } from 'node:net';

/**
 * The key under which a client's submissions are counted: a digest of its address, or, for IPv6, of its /64 network,
 * since one subscriber has that many addresses.
 */
export function clientKey(address: string | undefined): string {
  return hash('sha256', networkOf(address ?? ''), 'base64url').slice(0, 22);
}

function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const plain = address.replace(/%.*$/, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length - (tail.includes('.') ? 1 : 0);
  const all = [...before, ...Array<string>(Math.max(zeros, 0)).fill('0'), ...after];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
