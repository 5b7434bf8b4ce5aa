import { describe, expect, it } from '@jest/globals';
import { eachSeed } from './each-seed.ts';

describe('seed of a test', () => {
  it('is printed > the test fails', async () => {
    const seeds: number[] = [];
    const failing = eachSeed(3, async (seed) => {
      seeds.push(seed);
      throw new Error('broken');
    });
    const message = await failing.catch(({ message }: Error) => message);
    expect(message).toContain(`Counterexample: [${seeds[0]}]`);
    expect(seeds).toHaveLength(1);
  });

  it('differs from run to run', async () => {
    const seeds = new Set<number>();
    await eachSeed(3, async (seed) => void seeds.add(seed));
    expect(seeds.size).toBe(3);
  });
});
