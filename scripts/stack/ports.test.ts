import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePorts } from './ports.ts';

/** Ports of this test, below those of all others. */
const FOUR = [14_000, 14_003] as const;

/** Another run, which takes two ports and does not listen there. */
const PROGRAM = `
const { freePorts } = await import(${JSON.stringify(new URL('ports.ts', import.meta.url).href)});
console.log(JSON.stringify(await freePorts(2, ${JSON.stringify(FOUR)})));
setInterval(() => {}, 1_000);
`;

test('free ports > are of one run until it ends > none of its servers listens yet', async () => {
  const options = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', PROGRAM];
  const run = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = (await once(run.stdout, 'data')) as [Buffer];
  const taken = JSON.parse(output.toString()) as number[];
  expect([...taken, ...(await freePorts(2, FOUR))].sort()).toEqual([14_000, 14_001, 14_002, 14_003]);
  await expect(freePorts(1, FOUR)).rejects.toThrow('Fewer than 1 ports from 14000 to 14003 are free.');
  run.kill('SIGKILL');
  await once(run, 'exit');
  expect((await freePorts(2, FOUR)).sort()).toEqual(taken.sort());
});
