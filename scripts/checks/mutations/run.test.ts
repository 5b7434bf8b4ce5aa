import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { acquireLock } from '../../stack/lock.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const SUM = 'export const sum = (a: number, b: number) => a + b;\nexport const half = (a: number) => a / 2;\n';

/** A checkout with one module, its test, and faults of its own. */
let checkout: string;

beforeEach(() => {
  checkout = makeTemporaryFolder();
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
  for (const folder of ['scripts', 'bench', 'faults']) mkdirSync(join(checkout, folder));
  writeFileSync(join(checkout, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(checkout, 'scripts/jest.config.js'), readFileSync(join(ROOT, 'scripts/jest.config.js')));
  writeFileSync(join(checkout, 'scripts/sum.ts'), SUM);
  writeFileSync(
    join(checkout, 'scripts/sum.test.ts'),
    `import { expect, it } from '@jest/globals';
    import { half, sum } from './sum.ts';
    it('adds', () => expect([sum(1, 2), typeof half(2)]).toEqual([3, 'number']));`,
  );
});

afterEach(() => rmSync(checkout, { recursive: true }));

/** Runs the tool over faults, each a pair of its title and the call that applies it. */
async function run(...faults: readonly (readonly [breaks: string, apply: string])[]) {
  const entries = faults.map(
    ([breaks, apply]) =>
      `{ breaks: '${breaks}', file: 'scripts/sum.ts', test: 'scripts/sum.test.ts', apply: ${apply} },`,
  );
  writeFileSync(
    join(checkout, 'faults/sum.ts'),
    `import { inExport } from '${ROOT}/scripts/checks/mutations/fault.ts';
    import { replaces } from '${ROOT}/scripts/checks/mutations/mutate.ts';
    export const faults = [${entries.join('\n')}];`,
  );
  const { stdout, stderr, exitCode } = await start();
  expect(stderr).toBe('');
  expect(readFileSync(join(checkout, 'scripts/sum.ts'), 'utf8')).toBe(SUM);
  return { stdout, exitCode };
}

const start = () => {
  const program = join(ROOT, 'scripts/checks/mutations/run.ts');
  return execa(process.execPath, [program, '--faults', 'faults'], { cwd: checkout, reject: false });
};

const CAUGHT = ['adds', `inExport('sum', replaces('a + b', 'a - b'))`] as const;
const SURVIVING = ['halves', `inExport('half', replaces('2', '3'))`] as const;
const UNCOMPILED = ['compiles', `inExport('sum', replaces('a + b', 'a +'))`] as const;
const GONE = ['multiplies', `inExport('product', replaces('a * b', 'a'))`] as const;

describe('mutation run', () => {
  it('succeeds > a named test fails with each fault', async () => {
    const { stdout, exitCode } = await run(CAUGHT);
    expect(stdout).toMatch(/^caught +scripts\/sum\.ts: adds .*\n +scripts\/sum\.test\.ts: adds$/m);
    expect(stdout).toMatch(/1 faults, 1 chosen: 1 caught, 0 survived, 0 broken, 0 timed out$/);
    expect(exitCode).toBe(0);
  });

  it('fails > a fault survives, does not compile, or no longer applies', async () => {
    const { stdout, exitCode } = await run(CAUGHT, SURVIVING, UNCOMPILED, GONE);
    const verdicts = [...stdout.matchAll(/^(\w+) +scripts\/sum\.ts: (.+) \(/gm)].map(([, ...pair]) => pair.join(': '));
    expect(verdicts).toEqual(['caught: adds', 'SURVIVED: halves', 'BROKEN: compiles', 'BROKEN: multiplies']);
    expect(stdout).toMatch(/1 caught, 1 survived, 2 broken, 0 timed out$/);
    expect(exitCode).toBe(1);
  });

  it('fails > no fault is chosen', async () => {
    expect(await run()).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('0 faults, 0 chosen') });
  });

  it('is refused > another one runs in this checkout', async () => {
    const unlock = acquireLock(join(checkout, '.data/mutations.lock'));
    expect(await start()).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('Another run') });
    unlock?.();
  });
});
