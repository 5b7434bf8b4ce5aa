import { afterEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { freePorts } from './ports.ts';

/** Ports of these tests, below those of all others. */
const FOUR = [14_000, 14_003] as const;

const PROGRAM = `
const { freePorts } = await import(${JSON.stringify(new URL('ports.ts', import.meta.url).href)});
console.log(JSON.stringify(await freePorts(2, ${JSON.stringify(FOUR)})));
setInterval(() => {}, 1_000);
`;

const runs: ChildProcess[] = [];
afterEach(async () => {
  for (const run of runs.splice(0)) await end(run);
});

/** Starts another run that takes two ports and does not listen there. */
async function takeTwo(): Promise<{ readonly run: ChildProcess; readonly ports: readonly number[] }> {
  const options = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', PROGRAM];
  const run = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  runs.push(run);
  const [output] = (await once(run.stdout, 'data')) as [Buffer];
  return { run, ports: JSON.parse(output.toString()) as number[] };
}

async function end(run: ChildProcess): Promise<void> {
  if (run.exitCode !== null || run.signalCode !== null) return;
  run.kill('SIGKILL');
  await once(run, 'exit');
}

describe('free ports', () => {
  it('differ between two runs > none of their servers listens yet', async () => {
    const [first, second] = await Promise.all([takeTwo(), takeTwo()]);
    expect([...first.ports, ...second.ports].sort()).toEqual([14_000, 14_001, 14_002, 14_003]);
    await expect(freePorts(1, FOUR)).rejects.toThrow('Fewer than 1 ports from 14000 to 14003 are free.');
    await end(second.run);
    expect((await freePorts(2, FOUR)).sort()).toEqual([...second.ports].sort());
  });
});
