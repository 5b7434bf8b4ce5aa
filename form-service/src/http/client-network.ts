import { hash } from 'node:crypto';
import { isIPv6 } from 'node:net';

/**
 * Returns the key under which a client is counted: a digest of its IPv4 address or its IPv6 network. A subscriber has a
 * /64, a company or a hosting provider's customer a /48.
 */
export function clientKey(address: string | undefined, prefix: 48 | 64 = 64): string {
  return hash('sha256', networkOf(address ?? '', prefix / 16), 'base64url').slice(0, 22);
}

function networkOf(address: string, groupCount: number): string {
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
    .slice(0, groupCount)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
