import { expect, test } from '@jest/globals';
import { LOCALE } from '../../form-service/src/contract/locale.ts';
import { htmlWithUnits, withUnits } from './units.ts';

const WORDS: Readonly<Record<string, readonly (readonly [text: string, kept: string])[]>> = {
  en: [
    ['within 24 hours, or 1 day', 'within 24_hours, or 1_day'],
    ['12.3 kB, 0.64 s and 95 %', '12.3_kB, 0.64_s and 95_%'],
    ['8-20 weeks, 10+ years', '8-20_weeks, 10+_years'],
    ['$8,000 a month or 9.800 €', '$8,000_a_month or 9.800_€'],
    ['since 26 November 2026', 'since 26_November_2026'],
    ['in 2014 we hired 6 people, 3 minutemen', 'in 2014 we hired 6 people, 3 minutemen'],
  ],
  de: [
    ['in 24 Stunden, nach 3 Tagen', 'in 24_Stunden, nach 3_Tagen'],
    ['12,3 kB und 95 %', '12,3_kB und 95_%'],
    ['8-20 Wochen, 10+ Jahre', '8-20_Wochen, 10+_Jahre'],
    ['ab 9.800 €', 'ab 9.800_€'],
    ['2014 waren wir 6 Leute', '2014 waren wir 6 Leute'],
  ],
};

const rows = WORDS[LOCALE.slice(0, 2)] ?? [];

test.each(rows)('units > stay with their numbers > %s', (text, kept) => {
  expect(withUnits(text).replaceAll('\u00A0', '_')).toBe(kept);
});

test('units > stay with their numbers in texts only > of HTML', () => {
  const [[text, kept] = ['', '']] = rows;
  const form = `<form><label>${text}</label></form>`;
  expect(htmlWithUnits(`<p title="${text}">${text}</p>${form}`).replaceAll('\u00A0', '_')).toBe(
    `<p title="${text}">${kept}</p>${form}`,
  );
});
