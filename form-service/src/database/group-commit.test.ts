import { describe, expect, it } from '@jest/globals';
import { groupCommit } from './group-commit.ts';

describe('groupCommit', () => {
  it.each([
    [2, [2]],
    [3, [3]],
    [4, [3, 1]],
    [7, [3, 3, 1]],
  ])('gives %i calls at once statements of at most three: %j', async (calls, expected) => {
    const sizes: number[] = [];
    const commit = groupCommit<number, number>(async (batch) => {
      sizes.push(batch.length);
      return batch.map((one) => one * 2);
    }, 3);
    const values = Array.from({ length: calls }, (_, at) => at);
    expect(await Promise.all(values.map((one) => commit(one)))).toEqual(values.map((one) => one * 2));
    expect(sizes).toEqual(expected);
  });

  it('shares the next statement among the calls that arrive while one runs', async () => {
    const batches: number[][] = [];
    let finish = () => {};
    const commit = groupCommit<number, number>(async (batch) => {
      batches.push([...batch]);
      if (batches.length === 1) await new Promise<void>((resolve) => (finish = resolve));
      return [...batch];
    });
    const first = commit(1);
    while (batches.length === 0) await new Promise(setImmediate);
    const rest = [commit(2), commit(3)];
    await new Promise(setImmediate);
    finish();
    await Promise.all([first, ...rest]);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  it('goes on after a statement that fails', async () => {
    const commit = groupCommit<number, number>(async (batch) => {
      if (batch.includes(1)) throw new Error('disk full');
      return [...batch];
    });
    await expect(commit(1)).rejects.toThrow('disk full');
    expect(await commit(2)).toBe(2);
  });
});
