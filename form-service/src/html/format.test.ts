import { describe, expect, it } from '@jest/globals';
import { words } from '../../test/words.ts';
import { LOCALE } from '../contract/locale.ts';
import { receivedAtText, startOfDay, timeText, zoneText } from './format.ts';

describe('startOfDay', () => {
  it.each([
    ['2026-11-26', 'Asia/Kolkata', '2026-11-25T18:30:00.000Z'],
    // The clocks change on this day, or on the one before.
    ['2026-03-29', 'Europe/Lisbon', '2026-03-29T00:00:00.000Z'],
    ['2026-04-06', 'Pacific/Auckland', '2026-04-05T12:00:00.000Z'],
    // The clocks change at midnight, so that the day begins at 01:00.
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
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

describe('timeText and zoneText', () => {
  const NOW = Date.parse('2027-01-02T10:00:00Z');

  it.each([
    ['2027-01-01T23:05:00Z', 'Fri 1 Jan 23:05', 'Fr 1 Jan 23:05'],
    ['2026-12-31T23:05:00Z', 'Thu 31 Dec 2026 23:05', 'Do 31 Dez 2026 23:05'],
  ])('have a weekday, and a year > %s in another year', (time, english, german) => {
    const text = timeText(Date.parse(time), 'Europe/Lisbon', 'short', NOW);
    expect(text.replaceAll(/[.,]/g, '')).toBe(LOCALE === 'de-DE' ? german : english);
  });

  it('have the year of the time zone > the year ends earlier there', () => {
    expect(timeText(Date.parse('2026-12-31T20:00:00Z'), 'Asia/Tokyo', 'short', NOW)).not.toContain('202');
  });

  it.each([
    ['Europe/Lisbon', words.submissions.zone({ city: 'Lisbon' })],
    ['America/Argentina/Buenos_Aires', words.submissions.zone({ city: 'Buenos Aires' })],
    ['Etc/GMT+5', 'GMT-05:00'],
  ])('name the time zone in words > %s', (zone, text) => {
    expect(zoneText(zone)).toBe(text);
  });

  it('names UTC in short at the time of arrival', () => {
    expect(receivedAtText({ receivedAt: NOW }, 'UTC')).toMatch(/\d, UTC$/);
  });
});
