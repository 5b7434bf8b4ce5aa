import { expect, test } from '@jest/globals';
import { priceIn } from './price.ts';

test.each([
  ['$8,000', { amount: '$8,000', unit: undefined, value: 8000, currency: 'USD' }],
  ['Starting from $2,500/month', { amount: '$2,500', unit: 'month', value: 2500, currency: 'USD' }],
  ['ab 9.800 €/Monat', { amount: '9.800 €', unit: 'Monat', value: 9800, currency: 'EUR' }],
  ["CHF 12'500", { amount: "CHF 12'500", unit: undefined, value: 12500, currency: 'CHF' }],
])('a price > is found in "%s"', (text, price) => {
  expect(priceIn(text)).toEqual(price);
});

test.each(['2-8 months', 'S/4HANA', 'monatlich'])('a price > is not in "%s"', (text) => {
  expect(priceIn(text)).toBeUndefined();
});
