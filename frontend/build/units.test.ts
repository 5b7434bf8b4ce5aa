import { expect, test } from '@jest/globals';
import { htmlWithUnits, withUnits } from './units.ts';

test.each([
  ['within 24 hours, or 1 day', 'within 24_hours, or 1_day'],
  ['12.3 kB, 0.64 s and 95 %', '12.3_kB, 0.64_s and 95_%'],
  ['8-20 weeks, 10+ years', '8-20_weeks, 10+_years'],
  ['$8,000 a month or 9.800 €', '$8,000_a_month or 9.800_€'],
  ['since 26 November 2026', 'since 26_November_2026'],
  ['in 2014 we hired 6 people, 3 minutemen', 'in 2014 we hired 6 people, 3 minutemen'],
])('units > stay with their numbers > %s', (text, kept) => {
  expect(withUnits(text).replaceAll('\u00A0', '_')).toBe(kept);
});

test('units > stay with their numbers in texts only > of HTML', () => {
  const form = '<form><label>Up to 10 MB</label></form>';
  const html = '<p title="24 hours">In <b>24 hours</b> from 1 May</p>';
  expect(htmlWithUnits(`${html}${form}`)).toBe(
    `<p title="24 hours">In <b>24\u00A0hours</b> from 1\u00A0May</p>${form}`,
  );
});
