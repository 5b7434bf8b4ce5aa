import { describe, expect, test } from '@jest/globals';
import { steps, subjectsOf } from './steps.ts';

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
