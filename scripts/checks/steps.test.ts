import { describe, expect, jest, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { StartError } from '../stack/start-error.ts';
import { countOne } from './count.ts';
import { attempt, ON_DEMAND, steps, subjectsOf } from './steps.ts';

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

describe('selection by a changed file', () => {
  const read = (file: string) =>
    steps.filter(({ group, reads }) => !ON_DEMAND.has(group) && reads?.test(file)).map(({ name }) => name);
  const ofProduct = read('nginx/site.conf');
  const faults = ofProduct.filter((name) => name.startsWith('no accepted submission'));

  test.each([
    ['.env.example', ['manifests']],
    ['scripts/update', ['shell scripts']],
    ['nginx/docker-entrypoint.sh', ['shell scripts', ...ofProduct]],
    ['frontend/index.html', ofProduct],
    ['frontend/vite.config.ts', ofProduct],
    ['form-service/tsconfig.build.json', ofProduct],
    ['package-lock.json', ofProduct],
    ['form-service/package.json', ofProduct],
    ['scripts/mail-catcher/server.ts', ofProduct],
    ['e2e/faults/checks.ts', faults],
  ])('sees every step that can notice the change > %s', (file, names) => {
    expect(read(file)).toEqual(names);
    expect([ofProduct.length, faults.length]).toEqual([6, 2]);
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
