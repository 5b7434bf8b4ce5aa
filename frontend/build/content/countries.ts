const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

const codes = new Map(
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).flatMap((code) => {
    const name = regions.of(code);
    // Codes of former countries have the names of their successors.
    return name && new Intl.Locale('und', { region: code }).region === code ? [[name, code] as const] : [];
  }),
);

/** English names of all countries. */
export const countryNames: readonly string[] = [...codes.keys()];

/** ISO 3166-1 code of a country by its English name; '' for an unknown name. */
export const countryCode = (name: string): string => codes.get(name) ?? '';

/** Common names, in lower case and without dots, by which neither a code nor a similar name finds the country. */
const ALIASES: Readonly<Record<string, string>> = {
  'great britain': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  usa: 'US',
  america: 'US',
  uae: 'AE',
  holland: 'NL',
  'czech republic': 'CZ',
  turkey: 'TR',
};

/** Returns the English name of the country meant by a code or an alias. */
export function meantCountry(text: string): string | undefined {
  const name = text.toLowerCase().replaceAll('.', '');
  const code = ALIASES[name] ?? name.toUpperCase();
  return /^[A-Z]{2}$/.test(code) ? regions.of(code) : undefined;
}
