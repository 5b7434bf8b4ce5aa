import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { formatCalendarDate } from './calendar-date.ts';

describe('a calendar date', () => {
  test.each([
    ['2025-09-01', 'September 1, 2025'],
    ['2025-12-31', 'December 31, 2025'],
    ['2024-02-29', 'February 29, 2024'],
    ['2026-01-01', 'January 1, 2026'],
  ])('%s reads "%s"', (iso, text) => {
    expect(formatCalendarDate(iso)).toBe(text);
  });

  // A process reads its time zone once, so each zone needs its own process.
  test.each([
    ['America/Los_Angeles', -420],
    ['Asia/Kolkata', 330],
    ['Pacific/Auckland', 720],
    ['Pacific/Kiritimati', 840],
    ['Etc/GMT+12', -720],
  ])('is the same day in %s', (TZ, minutesFromUtc) => {
    const script = `
      import { formatCalendarDate } from ${JSON.stringify(join(import.meta.dirname, 'calendar-date.ts'))};
      console.log(-new Date('2025-09-01').getTimezoneOffset(), formatCalendarDate('2025-09-01'));`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, TZ, NODE_OPTIONS: '--disable-warning=ExperimentalWarning' },
      encoding: 'utf8',
    });
    expect(printed.trim()).toBe(`${minutesFromUtc} September 1, 2025`);
  });
});
