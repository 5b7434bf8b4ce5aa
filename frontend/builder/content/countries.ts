import { LOCALE } from '../../../form-service/src/contract/locale.ts';

const namesIn = (language: string) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
const regions = namesIn(LOCALE);
/** Regions may write a name in another way, such as `St Lucia` and `St. Lucia`. */
const spellings = [regions, namesIn(new Intl.Locale(LOCALE).language)];
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

const codesBy = (spelled: readonly Intl.DisplayNames[]): ReadonlyMap<string, string> =>
  new Map(
    LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).flatMap((code) => {
      // Codes of former countries have the names of their successors.
      if (new Intl.Locale('und', { region: code }).region !== code) return [];
      return spelled.flatMap((names) => {
        const name = names.of(code);
        return name ? [[name, code] as const] : [];
      });
    }),
  );

const codes = codesBy(spellings);

/** Names of all countries in the language of the site. */
export const countryNames: readonly string[] = [...codes.keys()];

/** ISO 3166-1 code of a country by its name; '' for an unknown name. */
export const countryCode = (name: string): string => codes.get(name) ?? '';

/** Returns the name of a country in another language; undefined for an unknown name. */
export function translatedCountry(name: string, from: string, to: string): string | undefined {
  const code = codesBy([namesIn(from)]).get(name);
  return code && namesIn(to).of(code);
}

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

/** Returns the name of the country meant by a code or an alias. */
export function meantCountry(text: string): string | undefined {
  const name = text.toLowerCase().replaceAll('.', '');
  const code = ALIASES[name] ?? name.toUpperCase();
  return /^[A-Z]{2}$/.test(code) ? regions.of(code) : undefined;
}
