import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addCounts, countJest, countPlaywright, countProduct } from './count.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

let folder: string;
beforeAll(() => {
  folder = makeTemporaryFolder();
});
afterAll(() => rmSync(folder, { recursive: true }));

function report(content: object): string {
  return written(JSON.stringify(content));
}

function written(text: string): string {
  const path = join(folder, `${crypto.randomUUID()}.json`);
  writeFileSync(path, text);
  return path;
}

const assertion = (status: string, fullName: string, ...failureMessages: readonly string[]) => ({
  status,
  fullName,
  ancestorTitles: ['store'],
  failureMessages,
});
const jestReport = (status: string, ...assertionResults: ReturnType<typeof assertion>[]) =>
  report({
    numPassedTests: assertionResults.filter((one) => one.status === 'passed').length,
    numPendingTests: assertionResults.filter((one) => one.status === 'pending').length,
    testResults: [{ name: resolve('a.test.ts'), status, assertionResults }],
  });

describe('count of Jest', () => {
  it('has the numbers, and the names of what failed or was skipped', () => {
    const path = jestReport('failed', assertion('passed', 'a'), assertion('failed', 'b'), assertion('pending', 'c'));
    expect(countJest(path, false, ['PostgreSQL is missing'])).toEqual({
      passed: 1,
      failed: 1,
      skipped: 1,
      failures: ['a.test.ts: b'],
      unrunnable: [],
      skips: ['store', 'PostgreSQL is missing'],
    });
  });

  it.each([
    ['a file that could not be run', () => jestReport('failed'), false, 1],
    ['a runner that fails without a failed test', () => jestReport('passed', assertion('passed', 'a')), false, 1],
    ['a report that is missing, though the runner succeeded', () => join(folder, 'none.json'), true, 1],
    ['a report that is cut off', () => written('{"numPassedTests":1,'), true, 1],
    ['nothing > all passed', () => jestReport('passed', assertion('passed', 'a')), true, 0],
  ])('fails for %s', (_what, path, isGood, failed) => {
    expect(countJest(path(), isGood).failed).toBe(failed);
  });

  it('names tests that did not run because their setup failed', () => {
    const path = jestReport(
      'failed',
      assertion('failed', 'a', 'Setup failed: Error'),
      assertion('failed', 'b', 'Error'),
    );
    const unrunnable = ['a.test.ts: a'];
    expect(countJest(path, false)).toMatchObject({ failed: 2, failures: [...unrunnable, 'a.test.ts: b'], unrunnable });
  });

  it('names a file that could not be run', () => {
    expect(countJest(jestReport('failed'), false).unrunnable).toEqual(['a.test.ts: could not be run']);
  });
});

const playwright = (...statuses: string[]) =>
  report({
    suites: [
      {
        specs: [],
        suites: [
          {
            specs: statuses.map((status, at) => ({
              file: 'a.spec.ts',
              title: `test ${at}`,
              tests: [{ status, projectName: 'desktop', annotations: [] }],
            })),
          },
        ],
      },
    ],
  });

describe('count of Playwright', () => {
  it('counts a flaky test as failed, and a skipped one as skipped', () => {
    expect(countPlaywright(playwright('expected', 'unexpected', 'flaky', 'skipped'), false)).toMatchObject({
      passed: 1,
      failed: 2,
      skipped: 1,
      failures: ['[desktop] a.spec.ts: test 1', '[desktop] a.spec.ts: test 2'],
    });
  });

  it.each([
    ['a setup that failed before any test', () => playwright(), false, 1],
    ['a missing report', () => join(folder, 'none.json'), true, 1],
    ['a report that is cut off', () => written('{"suites":['), true, 1],
    ['nothing > all passed', () => playwright('expected'), true, 0],
  ])('fails for %s', (_what, path, isGood, failed) => {
    expect(countPlaywright(path(), isGood).failed).toBe(failed);
  });
});

describe('count of the product', () => {
  it.each([
    ['12 passed, 0 failed', true, { passed: 12, failed: 0, skipped: 0 }],
    ['SKIPPED: no root\n1 passed, 0 failed, 2 skipped', true, { passed: 1, failed: 0, skipped: 2, skips: ['no root'] }],
    ['3 passed, 2 failed', false, { passed: 3, failed: 2 }],
    ['3 passed, 0 failed', false, { passed: 3, failed: 1 }],
    ['it ended without a summary', false, { passed: 0, failed: 1 }],
    ['it ended well without a summary', true, { passed: 0, failed: 1 }],
    ['0 passed, 0 failed', true, { passed: 0, failed: 1 }],
    ['SKIPPED: no root\n0 passed, 0 failed, 1 skipped', true, { passed: 0, failed: 0, skipped: 1 }],
  ])('reads %j', (output, isGood, expected) => {
    expect(countProduct(output, isGood)).toMatchObject(expected);
  });
});

describe('sum of counts', () => {
  it('adds each number', () => {
    const one = { passed: 1, failed: 2, skipped: 3 };
    expect(addCounts([one, one])).toMatchObject({ passed: 2, failed: 4, skipped: 6 });
  });
});
