import { afterEach, expect, test } from '@jest/globals';
import { lastModified } from './last-modified.ts';

const before = process.env.SOURCE_DATE_EPOCH;

afterEach(() => {
  delete process.env.SOURCE_DATE_EPOCH;
  if (before !== undefined) process.env.SOURCE_DATE_EPOCH = before;
});

test('last change > is the day of SOURCE_DATE_EPOCH or unknown > without git history', () => {
  delete process.env.SOURCE_DATE_EPOCH;
  expect(lastModified('pages/no-such-page.yaml')).toBeUndefined();
  process.env.SOURCE_DATE_EPOCH = '1795262400';
  expect(lastModified('pages/no-such-page.yaml')).toBe('2026-11-21');
});
