import { createHash } from 'node:crypto';

/** Random numbers that the seed and the purpose determine (mulberry32). Not for secrets. */
export class Random {
  private state: number;

  /** @param purpose keeps what one part draws apart from what another one draws */
  constructor(seed: number, purpose: string) {
    this.state = createHash('sha256').update(`${seed}:${purpose}`).digest().readUInt32LE();
  }

  /** From `least` up to but excluding `most`. */
  between(least = 0, most = 1): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return least + (most - least) * (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32);
  }

  chance(share: number): boolean {
    return this.between() < share;
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[Math.floor(this.between(0, items.length))] ?? items[0];
  }

  shuffled<T>(items: readonly T[]): T[] {
    const keyed = items.map((item) => ({ key: this.between(), item }));
    return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
  }
}
