import { lazy } from './lazy.ts';
import { LOCALE } from './locale.ts';
import type { Keys } from './words.ts';
import { wordsOf } from './words.ts';

type Value = string | number;
type Values = Readonly<Record<string, Value>>;

/** Names of the places in a key of `wording-keys.json`, such as `taken {name}`. */
type PlacesIn<Key> = Key extends `${string}{${infer Place}}${infer Rest}` ? Place | PlacesIn<Rest> : never;
type NameIn<Key> = Key extends `${infer Name} {${string}` ? Name : Key;

/** Words by their keys: texts, and functions that fill in the places of a text. */
export type Words<Keys> = {
  readonly [Key in keyof Keys as NameIn<Key>]: Keys[Key] extends string ? Word<PlacesIn<Key>> : Words<Keys[Key]>;
};
type Word<Place extends string> = [Place] extends [never] ? string : (values: Readonly<Record<Place, Value>>) => string;

/** A text, or one for each plural form, by the names of `Intl.PluralRules`. */
export type Text = string | { readonly other: string; readonly [form: string]: string };

/** Replaces the places in braces by values. */
export const fill = (template: string, values: Values): string =>
  template.replaceAll(/\{(\w+)\}/g, (place, name: string) => shown(values[name] ?? place));

const shown = (value: Value) => (typeof value === 'number' ? value.toLocaleString(LOCALE) : value);

const plural = new Intl.PluralRules(LOCALE);

const hasForms = (part: object): part is Exclude<Text, string> => 'other' in part && typeof part.other === 'string';

/** Makes words of the texts of a file, which have been checked. A list has no words that are filled in. */
export function makeWords<Keys>(texts: object): Words<Keys> {
  const words = Object.entries(texts).map(([key, part]: [string, string | object]) => {
    if (typeof part === 'object' && !hasForms(part)) return [key, makeWords(part)];
    if (typeof part === 'string' && !part.includes('{')) return [key, part];
    const { other, ...forms }: Exclude<Text, string> = typeof part === 'string' ? { other: part } : part;
    return [key, (values: Values) => fill(forms[plural.select(Number(values['count']))] ?? other, values)];
  });
  return Object.fromEntries(words) as Words<Keys>;
}

/** Texts for visitors that all forms share, used by the site and the service. */
export const messages = lazy(() => makeWords<Keys['forms']['all']>(wordsOf('all')));
