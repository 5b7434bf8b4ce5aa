import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { DATE_LOCALE } from 'form-service/contract/locale';
import { formatCalendarDate } from './calendar-date.ts';

const isGerman = DATE_LOCALE === 'de-DE';

describe('a calendar date', () => {
  test.each([
    ['2025-09-01', 'September 1, 2025', '1. September 2025'],
    ['2025-12-31', 'December 31, 2025', '31. Dezember 2025'],
    ['2026-01-01', 'January 1, 2026', '1. Januar 2026'],
  ])('%s reads "%s", or "%s" in German', (iso, english, german) => {
    expect(formatCalendarDate(iso)).toBe(isGerman ? german : english);
  });

  // A process reads its time zone once, so each zone needs its own process.
  test.each([
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
    expect(printed.trim()).toBe(`${minutesFromUtc} ${formatCalendarDate('2025-09-01')}`);
  });
});
