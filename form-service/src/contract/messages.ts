import { LOCALE } from './locale.ts';
import { wordsOf } from './words.ts';

const words = wordsOf('all');

/** Replaces the places in braces by values. */
export const fill = (template: string, values: Readonly<Record<string, string | number>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));

const plural = new Intl.PluralRules(LOCALE);

/** Returns a text for one, or another one for several. */
const counted = (one: string, several: string) => (count: number) =>
  fill(plural.select(count) === 'one' ? one : several, { count: count.toLocaleString(LOCALE) });

/** Texts for visitors that all forms share, used by the site and the service. */
export const messages = {
  ...words,
  reference: (reference: string) => fill(words.reference, { reference }),
  /** Error for a text that is too long; `path` is the label of the field, or its name. */
  tooLong: ({ path, max }: { readonly path: string; readonly max: number }) =>
    fill(words.tooLong, { path, max: max.toLocaleString(LOCALE) }),
  /** Hint near the maximum length of a field. */
  charactersLeft: counted(words.characterLeft, words.charactersLeft),
  charactersTooMany: counted(words.characterTooMany, words.charactersTooMany),
};
