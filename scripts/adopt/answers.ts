import { translatedCountry } from '../../frontend/builder/content/countries.ts';
import { LOCALE } from '../../form-service/src/contract/locale.ts';
import { parse } from 'yaml';
import type { BrandFile } from '../../frontend/builder/content/schema.ts';
import { brandValues } from './brand-values.ts';
import { officeOf } from './questions.ts';
import type { Value } from './yaml-values.ts';

/** Answers by the names of their options. Those that nobody gave are missing. */
export type Answers = Readonly<Partial<Record<string, string>>>;

const KEYS = {
  name: 'name',
  'legal-name': 'legalName',
  site: 'host',
  language: 'language',
  email: 'email',
  'careers-email': 'careersEmail',
  phone: 'phone',
};

/** Returns the text of a position with the name of its country in the new language. */
export const translatedPosition = (text: string, { language = LOCALE }: Answers): string =>
  text.replace(/(?<=^country: *)\S.*$/m, (country) => translatedCountry(country, LOCALE, language) ?? country);

/** Returns the values of company.yaml by their paths. The head office is the first one. Countries are in the new language. */
export function companyValues(source: string, answers: Answers): ReadonlyMap<string, Value> {
  const language = answers.language ?? LOCALE;
  const { offices = [] } = parse(source) as { readonly offices?: readonly { readonly country?: string }[] };
  const countries = offices.flatMap(({ country = '' }, index) => {
    const translated = translatedCountry(country, LOCALE, language);
    return translated ? [[`offices.${index}.country`, translated] as const] : [];
  });
  const values = Object.entries(KEYS).flatMap(([option, key]) => {
    const answer = answers[option];
    return answer ? [[key, answer] as const] : [];
  });
  if (!answers.office) return new Map([...countries, ...values]);
  const { street, postalCode, locality, country: inEnglish } = officeOf(answers.office);
  const country = translatedCountry(inEnglish, 'en', language) ?? inEnglish;
  const office = { name: locality, street, locality, postalCode, country, phone: '{company.phone}' };
  return new Map<string, Value>([
    ...countries,
    ...values,
    ['homeCity', locality],
    ...Object.entries(office).map(([key, value]) => [`offices.0.${key}`, value] as const),
  ]);
}

/** Returns the values of brand.yaml by their paths. A mark of its own replaces the kites of the example. */
export function valuesOfBrand(source: string, { colour }: Answers): ReadonlyMap<string, Value> {
  const brand = parse(source, { schema: 'failsafe' }) as BrandFile;
  return new Map([['motif', 'none'], ...(colour ? brandValues(brand, colour) : [])]);
}

/**
 * Returns the variables of `.env`. The user of a mail server is often the only sender that it accepts.
 *
 * @param current variables that `.env` has
 */
export function variablesOf(answers: Answers, current: Answers): ReadonlyMap<string, string> {
  const { site, 'smtp-url': smtp } = answers;
  const user = smtp ? decodeURIComponent(new URL(smtp).username) : '';
  const sender = user.includes('@') ? user : site && `no-reply@${new URL(site).hostname.replace(/^www\./, '')}`;
  return new Map(
    Object.entries({
      SITE_URL: site,
      SMTP_URL: smtp,
      MAIL_FROM: answers['mail-from'] ?? (current.MAIL_FROM ? undefined : sender),
    }).flatMap(([name, value]) => (value ? [[name, value] as const] : [])),
  );
}
