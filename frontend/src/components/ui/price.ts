const CURRENCY = String.raw`(?:[$€£₹]|\b[A-Z]{3}\b)`;
/** Thousands are separated by a sign, or by a space of any width, as in French. */
const AMOUNT = String.raw`(?:\d{1,3}(?:\s\d{3})+(?:,\d+)?|\d[\d.,'’]*)`;
const PRICE = new RegExp(String.raw`(${CURRENCY}\s?${AMOUNT}|${AMOUNT}\s?${CURRENCY})(?:/(\p{L}+))?`, 'u');

/** Returns the first price in a text as it is written, such as "$8,000", and the period after a slash, such as "month". */
export function priceIn(text: string): { readonly amount: string; readonly unit: string | undefined } | undefined {
  const [, amount, unit] = PRICE.exec(text) ?? [];
  return amount === undefined ? undefined : { amount, unit };
}
