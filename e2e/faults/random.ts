import { createCipheriv, createHash } from 'node:crypto';

/** Random numbers that the seed and the purpose determine. Not for secrets. */
export class Random {
  readonly #key: Buffer;
  #state: number;

  /** @param purpose keeps what one part draws apart from what another one draws */
  constructor(seed: number, purpose: string) {
    this.#key = createHash('sha256').update(`${seed}:${purpose}`).digest();
    this.#state = this.#key.readUInt32LE();
  }

  /** From 0 up to but excluding 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(least: number, most: number): number {
    return least + (most - least) * this.next();
  }

  /** A whole number, both ends included. */
  whole(least: number, most: number): number {
    return Math.floor(this.between(least, most + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[this.whole(0, items.length - 1)] ?? items[0];
  }

  shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => [this.next(), item] as const)
      .sort(([a], [b]) => a - b)
      .map(([, item]) => item);
  }

  /** Bytes that do not compress; the same ones at each call with the same length. */
  bytes(length: number): Buffer {
    const cipher = createCipheriv('aes-128-ctr', this.#key.subarray(0, 16), this.#key.subarray(16));
    return cipher.update(Buffer.alloc(length));
  }
}
