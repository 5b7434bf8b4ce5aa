export interface Price {
  /** As it is written, with its currency: "$8,000" or "9.800 €". */
  readonly amount: string;
  /** Period after a slash, such as "month". */
  readonly unit: string | undefined;
  /** In whole units of the currency. */
  readonly value: number;
  /** ISO 4217. */
  readonly currency: string;
}

const SYMBOLS: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP', '₹': 'INR' };
const CURRENCY = String.raw`(?:[$€£₹]|\b[A-Z]{3}\b)`;
const AMOUNT = String.raw`\d[\d.,'’]*`;
const PRICE = new RegExp(String.raw`(${CURRENCY}\s?${AMOUNT}|${AMOUNT}\s?${CURRENCY})(?:/(\p{L}+))?`, 'u');

/** Returns the first price in a text. */
export function priceIn(text: string): Price | undefined {
  const [, amount, unit] = PRICE.exec(text) ?? [];
  if (amount === undefined) return undefined;
  const sign = amount.replaceAll(/[\d.,'’\s]/g, '');
  return { amount, unit, value: Number(amount.replaceAll(/\D/g, '')), currency: SYMBOLS[sign] ?? sign };
}
