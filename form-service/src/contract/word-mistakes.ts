/**
 * Keys of a block of words. A value is `''` for a text, a list of one item, or another block. Behind the name of a text are
 * its places, as in `taken {name}`. A key that ends with `?` can be left out, and so can a place such as `{topic?}`.
 */
export type Shape = '' | readonly [Shape] | { readonly [key: string]: Shape };

/** Mistake of a word, by its path such as `forms.contact.next[0].when`. */
export interface WordMistake {
  readonly path: string;
  readonly message: string;
}

/** Mistake of a writer, one line each. It is shown without a stack trace. */
export class ContentError extends Error {
  override readonly name = 'ContentError';
}

const PLURAL_FORMS: ReadonlySet<string> = new Set(['zero', 'one', 'two', 'few', 'many', 'other']);

/** Number of names that a message lists. */
const MAX_NAMES = 12;

export const MISSING = 'is missing';

const NOT_TEXT = 'must be text; put it in quotes if it begins with { or [, or has a colon';

export const isBlock = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** TypeScript does not narrow read-only lists by `Array.isArray`. */
const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape);

/** Returns the name in a key of a {@link Shape}, its places, and whether it can be left out. */
export const partsOf = (key: string) => ({
  name: key.replace(/ \{.*|\?$/, ''),
  places: [...key.matchAll(/\{(\w+)(\??)\}/g)].map(([, name = '', mark]) => ({ name, isOptional: mark === '?' })),
  isOptional: key.endsWith('?'),
});

type Places = ReturnType<typeof partsOf>['places'];

/** Compares words with the keys that they should have. Finds missing and unknown words, and wrong places. */
export function* wordMistakes(words: unknown, shape: Shape, path = '', places: Places = []): Generator<WordMistake> {
  if (words === undefined || words === null || words === '') yield { path, message: MISSING };
  else if (shape === '') yield* textMistakes(words, places, path);
  else if (isList(shape)) yield* listMistakes(words, shape, path);
  else if (isBlock(words)) yield* blockMistakes(words, shape, path);
  else yield { path, message: 'must hold words, each as "name: text"' };
}

function* blockMistakes(
  words: Readonly<Record<string, unknown>>,
  shape: { readonly [key: string]: Shape },
  path: string,
) {
  const within = (name: string) => (path ? `${path}.${name}` : name);
  const keys = Object.entries(shape).map(([key, part]) => ({ ...partsOf(key), part }));
  const known = keys.map(({ name }) => name);
  const hint = known.length > MAX_NAMES ? '' : `; there are ${known.join(', ')}`;
  for (const name of Object.keys(words))
    if (!known.includes(name)) yield { path: within(name), message: `is no word here${hint}` };
  for (const { name, places, isOptional, part } of keys)
    if (!isOptional || words[name] !== undefined) yield* wordMistakes(words[name], part, within(name), places);
}

function* listMistakes(items: unknown, [shape]: readonly [Shape], path: string): Generator<WordMistake> {
  if (!Array.isArray(items) || items.length === 0)
    return yield { path, message: 'must be a list, each item on a line that begins with "- "' };
  for (const [at, item] of items.entries()) {
    yield* wordMistakes(item, shape, `${path}[${at}]`);
    if (items.indexOf(item) < at) yield { path: `${path}[${at}]`, message: `is "${item}", which is here twice` };
  }
}

/** A text with the place `count` can have one form for each plural of the language. */
function* textMistakes(text: unknown, places: Places, path: string): Generator<WordMistake> {
  if (typeof text === 'string') return yield* placeMistakes(text, places, path);
  if (!isBlock(text) || !places.some(({ name }) => name === 'count')) return yield { path, message: NOT_TEXT };
  if (text['other'] === undefined) yield { path: `${path}.other`, message: MISSING };
  for (const [form, one] of Object.entries(text))
    if (!PLURAL_FORMS.has(form))
      yield { path: `${path}.${form}`, message: `is no plural; there are ${[...PLURAL_FORMS].join(', ')}` };
    else if (typeof one !== 'string' || one === '') yield { path: `${path}.${form}`, message: NOT_TEXT };
    else yield* placeMistakes(one, places, `${path}.${form}`, form !== 'other');
}

/** A plural form can leave the number out, as in "one day". */
function* placeMistakes(text: string, places: Places, path: string, canOmitCount = false): Generator<WordMistake> {
  if (text.includes('{{')) return yield { path, message: 'has {{: a place has one brace on each side' };
  const known = places.map(({ name }) => `{${name}}`);
  const named: readonly string[] = text.match(/\{[^{}]*\}?|\}/g) ?? [];
  const hint = known.length > 0 ? `; its places are ${known.join(', ')}` : '';
  const unknown = named.find((name) => !known.includes(name));
  if (unknown) yield { path, message: `has ${unknown}, which is no fact or place here${hint}` };
  const missing = places.find(
    ({ name, isOptional }) => !isOptional && !named.includes(`{${name}}`) && !(name === 'count' && canOmitCount),
  );
  if (missing) yield { path, message: `needs {${missing.name}}` };
}
