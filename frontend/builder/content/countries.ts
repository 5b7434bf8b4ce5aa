import { LOCALE } from '../../../form-service/src/contract/locale.ts';

const regions = new Intl.DisplayNames(LOCALE, { type: 'region', fallback: 'none' });

/** Returns the name of a country in the language of the site, by its code (ISO 3166-1). Codes of former countries have none. */
export function countryName(code: string): string | undefined {
  const isCurrent = /^[A-Z]{2}$/.test(code) && new Intl.Locale('und', { region: code }).region === code;
  return isCurrent ? regions.of(code) : undefined;
}

/** Replaces the code of a country by its name, next to which it stays. */
export const withCountryName = <Place extends { readonly country: string }>(place: Place) => ({
  ...place,
  country: countryName(place.country) ?? '',
  countryCode: place.country,
});
