const CURRENCY = String.raw`(?:[$€£₹]|\b[A-Z]{3}\b)`;
const AMOUNT = String.raw`\d[\d.,'’]*`;
const PRICE = new RegExp(String.raw`(${CURRENCY}\s?${AMOUNT}|${AMOUNT}\s?${CURRENCY})(?:/(\p{L}+))?`, 'u');

/** Returns the first price in a text as it is written, such as "$8,000", and the period after a slash, such as "month". */
export function priceIn(text: string): { readonly amount: string; readonly unit: string | undefined } | undefined {
  const [, amount, unit] = PRICE.exec(text) ?? [];
  return amount === undefined ? undefined : { amount, unit };
}
