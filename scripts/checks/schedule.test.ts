import { describe, expect, it } from '@jest/globals';
import { runSteps, type Scheduled } from './schedule.ts';

interface Step extends Scheduled {
  readonly name: string;
}

/** Runs steps on two lanes. Each ends when the test says so. */
function start(steps: readonly Step[], fails: readonly string[] = []) {
  const ends = new Map<string, () => void>();
  let isOver = false;
  const all = runSteps(steps, 2, async ({ name }) => {
    await new Promise<void>((resolve) => ends.set(name, resolve));
    ends.delete(name);
    if (fails.includes(name)) throw new Error(name);
  }).finally(() => (isOver = true));
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    all,
    isOver: () => isOver,
    running: async () => (await settled(), [...ends.keys()].join(' ')),
    end: async (name: string) => (ends.get(name)?.(), await settled()),
  };
}

describe('schedule', () => {
  it('runs one step per lane, in the order of the list', async () => {
    const run = start([{ name: '1' }, { name: '2' }, { name: '3' }]);
    expect(await run.running()).toBe('1 2');
    await run.end('2');
    expect(await run.running()).toBe('1 3');
    await run.end('1');
    expect(run.isOver()).toBe(false);
    await run.end('3');
    expect(run.isOver()).toBe(true);
  });

  it('starts a step when what it needs is there, and others meanwhile', async () => {
    const run = start([
      { name: 'packages', provides: 'packages', isIdle: true },
      { name: 'build', provides: 'service' },
      { name: 'browser', needs: ['packages', 'service'] },
      { name: 'lint' },
    ]);
    expect(await run.running()).toBe('packages build lint');
    await run.end('build');
    expect(await run.running()).toBe('packages lint');
    await run.end('packages');
    expect(await run.running()).toBe('lint browser');
  });

  it('does not wait for what no step of the run provides', async () => {
    expect(await start([{ name: 'browser', needs: ['site'] }]).running()).toBe('browser');
  });

  it('runs a step alone > it needs the machine for itself', async () => {
    const run = start([{ name: '1' }, { name: 'alone', isAlone: true }, { name: '2' }]);
    expect(await run.running()).toBe('1');
    await run.end('1');
    expect(await run.running()).toBe('alone');
    await run.end('alone');
    expect(await run.running()).toBe('2');
  });

  it('rejects > a step throws', async () => {
    const run = start([{ name: '1' }], ['1']);
    await run.running();
    const rejected = expect(run.all).rejects.toThrow('1');
    await run.end('1');
    await rejected;
  });
});
