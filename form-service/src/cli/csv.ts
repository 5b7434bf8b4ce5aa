/** How a spreadsheet tells a formula; a tab or a line break before it does not help. */
const FORMULA = /^[\s]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u;

/**
 * One record of a CSV file (RFC 4180). A value that a spreadsheet would run as a formula gets an apostrophe in front:
 * visitors typed these values, and operators open them in spreadsheets.
 */
export function csvRecord(values: readonly (string | number | undefined)[]): string {
  return `${values.map((value) => csvField(value ?? '')).join(',')}\r\n`;
}

function csvField(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}
