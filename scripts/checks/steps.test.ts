import { describe, expect, jest, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { StartError } from '../stack/start-error.ts';
import { countOne } from './count.ts';
import { attempt, steps, subjectsOf } from './steps.ts';

const ofGroups = (...groups: readonly string[]) => steps.filter(({ group }) => groups.includes(group));

describe('programs of a run', () => {
  test('are not installed > lint, types and unit tests', () => {
    expect([...subjectsOf(ofGroups('lint', 'types', 'unit'))]).toEqual([]);
    expect([...subjectsOf(ofGroups('lint'))]).toEqual([]);
  });

  test('are those of all steps > one step needs a server', () => {
    expect([...subjectsOf(ofGroups('lint', 'monitoring'))].sort()).toEqual(['Shell scripts', 'The monitoring']);
  });
});

describe('run of the steps', () => {
  test('is refused > one of the groups does not exist', () => {
    const program = fileURLToPath(new URL('run-checks.ts', import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'kubernetes', 'nonsense'], {
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^Unknown: nonsense\. The groups are lint, .*integration/m);
  });

  test.each([
    ['a program is missing', new StartError('Install nginx.'), /^build: Install nginx\.\n$/],
    ['it is faulty', new TypeError('no files'), /^build: TypeError: no files\n +at /],
  ])('goes on after a step that throws > %s', async (_why, error, printed) => {
    const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const run = () => Promise.reject(error);
    expect(await attempt({ name: 'build', run }, { isBuffered: true })).toEqual(countOne(false));
    expect(write.mock.calls.join('')).toMatch(printed);
  });
});
