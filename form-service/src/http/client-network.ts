import { hash } from 'node:crypto';
import { isIPv6 } from 'node:net';

/** Groups of 16 bits in the network of an IPv6 subscriber, a /64. */
const GROUPS = 4;

/** Returns the key under which a client is counted: a digest of its IPv4 address or its IPv6 network. */
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
    .slice(0, GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
