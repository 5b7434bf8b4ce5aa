import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { runCommand } from './command.ts';
import { LEAK } from './count.ts';

/** Runs a program that prints a text and exits with a code. */
const run = (text: string, code: number) =>
  runCommand(process.execPath, ['-e', `console.error(${JSON.stringify(text)}); process.exitCode = ${code}`], {
    isBuffered: true,
    forbidden: LEAK,
  });

const WARNING = 'A worker process has failed to exit gracefully and has been force exited.';

// `npm test` looks for the same warning in the output of these tests.
beforeEach(() => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
});

describe('command of a step', () => {
  it.each([
    [true, 'it succeeds', 'ok', 0],
    [false, 'it fails', 'ok', 1],
    [false, 'Jest warns of a leak', WARNING, 0],
  ])('is good: %s > %s', async (isGood, _why, text, code) => {
    expect(await run(text, code)).toBe(isGood);
  });
});
