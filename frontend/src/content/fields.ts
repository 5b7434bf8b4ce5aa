import { array, boolean, object, string, ValidationError, type ISchema, type ObjectShape, type TestContext } from 'yup';
import { parseInline, partsOf } from './markdown.ts';

/** The kinds of field that content is made of. Every value arrives as the text that stands in the file. */

/** What a value is checked against beside its own schema: the rest of the content. */
export interface Surroundings {
  /** Path of the page that is checked. */
  readonly path?: string;
  /** Anchors of every page and file that a link may lead to, by path; undefined where the page could not be read. */
  readonly targets: ReadonlyMap<string, ReadonlySet<string> | undefined>;
  /** Width of every picture of `content/images`, in pixels; endless for a drawing. */
  readonly pictures: ReadonlyMap<string, number>;
  /** Names of the navigation's groups; undefined where it could not be read. */
  readonly groups: readonly string[] | undefined;
}

const surroundings = ({ options }: TestContext) => options.context as Surroundings;

/** Steps from one word to another, a letter each. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries())
      next.push(
        Math.min((row[column] ?? 0) + Number(letter !== other), (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** What the writer may have meant, as the end of a message. */
export function nearest(word: string, known: Iterable<string>): string {
  const [best] = [...known].map((name) => ({ name, steps: distance(word, name) })).sort((a, b) => a.steps - b.steps);
  return best && best.steps <= Math.max(2, word.length / 2) ? `, did you mean "${best.name}"?` : '';
}

/** A field of words without markup. */
export const line = () => string().typeError('must be text; put it in quotes if it begins with { or [');

/** A field that holds what `check` finds nothing wrong with. */
const checked = (name: string, check: (value: string, context: TestContext) => readonly (string | Found)[]) =>
  line().test(name, (value, context) => {
    const mistakes = (value ? check(value, context) : []).map((found) =>
      context.createError(typeof found === 'string' ? { message: found } : { message: found.message, params: found }),
    );
    return mistakes.length === 0 || new ValidationError(mistakes);
  });

/** A mistake within a text: the words tell the line that it stands on. */
type Found = {
  readonly message: string;
  readonly words: string;
};

/** What is wrong with where a link leads. */
function wrongTarget(href: string, { path = '/', targets }: Surroundings): readonly string[] {
  if (/^(?:https:\/\/\S+|mailto:[^@\s]+@[^@\s]+|tel:\+?\d+)$/.test(href)) return [];
  if (!/^[/#]/.test(href)) return [`${href} must begin with /, #, https://, mailto: or tel:`];
  const [to = '', anchor] = href.split('#');
  if (!targets.has(to || path)) return [`${href} leads to no page of this site${nearest(to, targets.keys())}`];
  const anchors = targets.get(to || path);
  if (anchor && anchors?.has(anchor) === false)
    return [`${href} leads to no anchor of ${to || path}${nearest(anchor, anchors)}`];
  return [];
}

/** Where a link leads: a path of this site, `#anchor`, `https://`, `mailto:` or `tel:`. */
export const href = () => checked('href', (value, context) => wrongTarget(value, surroundings(context)));

/** A sentence or more, as inline Markdown. */
export const text = () =>
  checked('markdown', (value, context) =>
    partsOf(parseInline(value)).flatMap((node) => {
      if (node.type === 'html' && node.value.startsWith('</')) return [];
      if (node.type === 'html')
        return [{ message: `${node.value} is HTML; write the words, or Markdown such as **bold**`, words: node.value }];
      if (node.type === 'link')
        return [
          ...wrongTarget(node.url, surroundings(context)).map((message) => ({ message, words: node.url })),
          ...(partsOf(node.children).some((part) => 'value' in part && part.value.trim())
            ? []
            : ['the link has no words']),
        ];
      if (['text', 'strong', 'emphasis', 'inlineCode', 'break'].includes(node.type)) return [];
      return [`"${node.type}" cannot stand in a sentence; links, **bold** and *emphasis* can`];
    }),
  );

/** A picture of `content/images`, by its name, that fills a place of so many pixels. */
export const imageName = (minWidth = 0, folder = '') =>
  checked('picture', (value, context) => {
    const { pictures } = surroundings(context);
    const width = pictures.get(folder + value);
    if (width === undefined) {
      const names = [...pictures.keys()]
        .filter((name) => name.startsWith(folder))
        .map((name) => name.slice(folder.length));
      return [`"${value}" is not in content/images/${folder}${nearest(value, names)}`];
    }
    return width < minWidth
      ? [`"${value}" is ${width} pixels wide, too few for this place: use ${minWidth} or more`]
      : [];
  });

/** One name out of those that are known. */
export const choice = <Name extends string>(names: readonly Name[], kind: string) =>
  string<Name>()
    .typeError(`must be ${kind}`)
    .oneOf(names, ({ value }: { value: string }) => {
      const known = names.length > 12 ? '' : `; there are ${names.join(', ')}`;
      return `"${value}" is no ${kind}${nearest(value, names) || known}`;
    })
    .meta({ of: kind });

/** What is so or not. */
export const flag = () => boolean().typeError('must be true or false');

/** Whether a text is a day of the calendar such as 2026-01-31. */
export const isDay = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^\d{4}-\d{2}-\d{2}$/.test(value) &&
  new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value) === true;

/** A day of the calendar, the same in every time zone. */
export const day = () =>
  line()
    .test('day', 'must be a date such as 2026-01-31', (value) => value === undefined || isDay(value))
    .meta({ format: 'date' });

/** Fields by name; a name that is not known is a mistake. */
export const record = <Shape extends ObjectShape>(fields: Shape) => {
  const known = Object.keys(fields);
  return object(fields)
    .typeError('must hold fields, each as "name: value"')
    .default(undefined)
    .test('surplus', (value, context) => {
      const surplus = Object.keys((value as object | undefined) ?? {}).filter((name) => !known.includes(name));
      const mistakes = surplus.map((name) =>
        context.createError({
          path: [context.path, name].filter(Boolean).join('.'),
          message: `is no field here${nearest(name, known) || `; there are ${known.join(', ')}`}`,
        }),
      );
      return mistakes.length === 0 || new ValidationError(mistakes);
    })
    .required('is missing');
};

/** At least one of something, each on a line that begins with "- ". */
export const list = <Item>(item: ISchema<Item>) =>
  array()
    .typeError('must be a list, each item on a line that begins with "- "')
    .of(item)
    .min(1, 'must have at least one item');

/** The name of a group of links in navigation.yaml, or "menu". */
export const groupName = () =>
  checked('group', (value, context) => {
    const { groups } = surroundings(context);
    return !groups || groups.includes(value)
      ? []
      : [`"${value}" is no group of navigation.yaml${nearest(value, groups)}`];
  });

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** ISO 3166-1 codes by the country's English name. */
const countryCodes = new Map(
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).flatMap((code) => {
    const name = regions.of(code);
    return name ? [[name, code] as const] : [];
  }),
);

export const countryCode = (name: string): string => countryCodes.get(name) ?? '';

/** A country by its English name. */
export const country = () =>
  checked('country', (value) =>
    countryCodes.has(value) ? [] : [`"${value}" is no country${nearest(value, countryCodes.keys())}`],
  ).required('is missing');
