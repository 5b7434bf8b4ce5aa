import { expect, test } from '@jest/globals';
import { priceIn } from './price.ts';

test.each([
  ['$8,000', { amount: '$8,000', unit: undefined }],
  ['Starting from $2,500/month', { amount: '$2,500', unit: 'month' }],
  ['ab 9.800 €/Monat', { amount: '9.800 €', unit: 'Monat' }],
  ["CHF 12'500", { amount: "CHF 12'500", unit: undefined }],
  ['dès 18 000 €', { amount: '18 000 €', unit: undefined }],
  ['dès 1\u202f250\u202f000,50\u00a0€/mois', { amount: '1\u202f250\u202f000,50\u00a0€', unit: 'mois' }],
  ['14 500 kr och 2 100 €', { amount: '2 100 €', unit: undefined }],
])('a price > is found in "%s"', (text, price) => {
  expect(priceIn(text)).toEqual(price);
});

test.each(['2-8 months', 'S/4HANA', 'monatlich'])('a price > is not in "%s"', (text) => {
  expect(priceIn(text)).toBeUndefined();
});
