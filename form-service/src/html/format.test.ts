import { describe, expect, it } from '@jest/globals';
import { startOfDay } from './format.ts';

describe('startOfDay', () => {
  it.each([
    ['2026-11-26', 'UTC', '2026-11-26T00:00:00.000Z'],
    ['2026-11-26', 'Asia/Kolkata', '2026-11-25T18:30:00.000Z'],
    ['2026-11-26', 'America/New_York', '2026-11-26T05:00:00.000Z'],
    // The clocks change on this day and the one before.
    ['2026-03-29', 'Europe/Lisbon', '2026-03-29T00:00:00.000Z'],
    ['2026-03-30', 'Europe/Lisbon', '2026-03-29T23:00:00.000Z'],
    ['2026-10-25', 'Europe/Lisbon', '2026-10-24T23:00:00.000Z'],
    ['2026-04-05', 'Pacific/Auckland', '2026-04-04T11:00:00.000Z'],
    ['2026-04-06', 'Pacific/Auckland', '2026-04-05T12:00:00.000Z'],
    // The clocks change at midnight, so that the day begins at 01:00.
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
    ['2026-03-08', 'America/Havana', '2026-03-08T05:00:00.000Z'],
    ['2026-03-29', 'Atlantic/Azores', '2026-03-29T01:00:00.000Z'],
    // Midnight comes twice.
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
  ])('is the midnight of the time zone > %s in %s', (date, timeZone, expected) => {
    expect(new Date(startOfDay(date, timeZone)).toISOString()).toBe(expected);
  });

  it.each(['', 'yesterday', '2026-13-01', '2026-02-30', '2026-11-31', '2026-1-1', '26.11.2026'])(
    'is not a number > "%s"',
    (date) => {
      expect(startOfDay(date, 'UTC')).toBeNaN();
    },
  );
});
