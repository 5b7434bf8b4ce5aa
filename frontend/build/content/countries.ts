const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

const byCode = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).flatMap((code) => {
  const name = regions.of(code);
  // Codes of former countries have the name of today's.
  return name && new Intl.Locale('und', { region: code }).region === code ? [[code, name] as const] : [];
});
const codes = new Map(byCode.map(([code, name]) => [name, code]));

/** The English names of all countries. */
export const countryNames: readonly string[] = [...codes.keys()];

/** ISO 3166-1 code of a country by its English name; empty where there is none of that name. */
export const countryCode = (name: string): string => codes.get(name) ?? '';

/** What people write, in small letters, and the name that is meant. */
export const otherNames: ReadonlyMap<string, string> = new Map([
  ...byCode.map(([code, name]) => [code.toLowerCase(), name] as const),
  ...Object.entries({
    uk: 'United Kingdom',
    'u.k.': 'United Kingdom',
    'great britain': 'United Kingdom',
    england: 'United Kingdom',
    scotland: 'United Kingdom',
    wales: 'United Kingdom',
    usa: 'United States',
    'u.s.': 'United States',
    'u.s.a.': 'United States',
    america: 'United States',
    'united states of america': 'United States',
    uae: 'United Arab Emirates',
    holland: 'Netherlands',
    'the netherlands': 'Netherlands',
    'czech republic': regions.of('CZ') ?? '',
    turkey: regions.of('TR') ?? '',
  }),
  ...countryNames.map((name) => [name.toLowerCase(), name] as const),
]);
