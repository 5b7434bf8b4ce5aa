import {
  array,
  boolean,
  mixed,
  object,
  string,
  ValidationError,
  type ISchema,
  type ObjectShape,
  type TestContext,
} from 'yup';
import { countryCode, countryNames, otherNames } from './countries.ts';
import { accepted, isRefused, linksOf, parseText, type Inline, type Refused, type Text } from './markdown.ts';
import { nearest } from './nearest.ts';
import type { ImageFacts } from '../images.ts';

/** The kinds of field that content is made of. Every value arrives as the text that stands in the file. */

/** What a value is checked against beside its own schema: the rest of the content. */
export interface ValidationContext {
  /** Path of the page that is checked. */
  readonly path?: string;
  /** Whether the page that is checked names a service of the enquiry form. */
  readonly hasService?: boolean;
  /** Anchors of every page and file that a link may lead to, by path; undefined where the page could not be read. */
  readonly targets: ReadonlyMap<string, ReadonlySet<string> | undefined>;
  /** Why a path leads nowhere: what its page was. */
  readonly gone: ReadonlyMap<string, string>;
  /** Every picture of `content/images`, by its name; undefined where its file has a mistake, which is told there. */
  readonly pictures: ReadonlyMap<string, ImageFacts | undefined>;
  /** Names of the navigation's groups; undefined where it could not be read. */
  readonly groups: readonly string[] | undefined;
  /** The services that the enquiry form offers. */
  readonly services: readonly string[];
}

const contextOf = ({ options }: TestContext) => options.context as ValidationContext;

const NOT_TEXT = 'must be text; put it in quotes if it begins with { or [, or has a colon';

/** A field of words without markup. */
export const plainText = () => string().typeError(NOT_TEXT);

/** A field that holds what `check` finds nothing wrong with. */
const checked = (name: string, check: (value: string, context: ValidationContext) => string | undefined) =>
  plainText().test(name, (value, context) => {
    const message = value ? check(value, contextOf(context)) : undefined;
    return message === undefined || context.createError({ message });
  });

/** The enquiry form, with the service chosen that the page's `serviceOption` names. */
export const WITH_SERVICE = '/contact?service';

/** What is wrong with where a link leads. */
export function wrongTarget(
  href: string,
  { path = '/', targets, gone, hasService }: ValidationContext,
): string | undefined {
  if (/^(?:https:\/\/\S+|mailto:[^@\s]+@[^@\s]+|tel:\+?\d+)$/.test(href)) return undefined;
  if (!/^[/#]/.test(href)) return `${href} must begin with /, #, https://, mailto: or tel:`;
  const [to = '', anchor] = href.split('#');
  if (href === WITH_SERVICE) return hasService ? undefined : `${href} needs a serviceOption on this page`;
  const page = to || path;
  if (gone.has(page)) return `${href} leads to ${gone.get(page)}`;
  if (!targets.has(page)) return `${href} leads to no page of this site${nearest(to, targets.keys())}`;
  const anchors = targets.get(page);
  if (anchor && anchors?.has(anchor) === false)
    return `${href} leads to no anchor of ${page}${nearest(anchor, anchors)}`;
  return undefined;
}

/** Where a link leads: a path of this site, `#anchor`, `https://`, `mailto:` or `tel:`. */
export const href = () => checked('href', wrongTarget);

/** A sentence or more, as inline Markdown. */
export const markdown = () =>
  mixed<Text>()
    .transform((value: unknown) => (typeof value === 'string' ? (value ? parseText(value) : undefined) : value))
    .test('markdown', (value, context) => {
      if (value === undefined || value === null) return true;
      if (typeof context.originalValue !== 'string') return context.createError({ message: NOT_TEXT });
      const parts: readonly (Inline | Refused)[] = value;
      const mistakes = [
        ...parts.filter(isRefused).map(({ mistake, words }) => ({ message: mistake, words })),
        ...linksOf(accepted(parts)).flatMap((to) => {
          const message = wrongTarget(to, contextOf(context));
          return message === undefined ? [] : [{ message, words: to }];
        }),
      ].map(({ message, words }) => context.createError({ message, params: { words } }));
      return mistakes.length === 0 || new ValidationError(mistakes);
    });

interface ImageLimits {
  /** In pixels: what its place needs. */
  readonly minWidth?: number;
  /** Width by height. */
  readonly maxRatio?: number;
  /** Within `content/images`, with a slash at its end. */
  readonly folder?: string;
}

/** A picture of `content/images`, by its name, as its place needs it. */
export const imageName = ({ minWidth = 0, maxRatio = Infinity, folder = '' }: ImageLimits = {}) =>
  checked('picture', (value, { pictures }) => {
    const picture = pictures.get(folder + value);
    if (!pictures.has(folder + value)) {
      const names = [...pictures.keys()].filter((name) => name.startsWith(folder));
      return `"${value}" is not in content/images/${folder}${nearest(
        value,
        names.map((name) => name.slice(folder.length)),
      )}`;
    }
    // A drawing is sharp at any size.
    if (!picture || picture.avif.length === 0) return undefined;
    const { width, height } = picture;
    if (width < minWidth) return `"${value}" is ${width} pixels wide, too few for this place: use ${minWidth} or more`;
    return width / height > maxRatio
      ? `"${value}" is ${width} by ${height} pixels, too flat for this place: cut it to at most ${maxRatio} times as wide as high`
      : undefined;
  });

/** A number that a telephone dials. */
export const phone = () =>
  plainText().matches(/^\+?\d[\d ()/.-]{5,}$/, 'must be a phone number such as +91 44 5550 0123');

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
  plainText()
    .test('day', 'must be a date such as 2026-01-31', (value) => value === undefined || isDay(value))
    .meta({ format: 'date' });

/** Fields by name; a name that is not known is a mistake. */
export const strictObject = <Shape extends ObjectShape>(fields: Shape) => {
  const known = Object.keys(fields);
  return object(fields)
    .typeError('must hold fields, each as "name: value"')
    .default(undefined)
    .test('unknown-fields', (value, context) => {
      const unknown = Object.keys((value as object | undefined) ?? {}).filter((name) => !known.includes(name));
      const mistakes = unknown.map((name) =>
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

/** The name of a group of links in navigation.yaml, "menu" or "others". */
export const groupName = () =>
  checked('group', (value, { groups }) =>
    !groups || groups.includes(value)
      ? undefined
      : `"${value}" is no group of navigation.yaml${nearest(value, groups)}`,
  );

/** A service of the enquiry form. */
export const serviceOption = () =>
  checked('service', (value, { services }) =>
    services.includes(value)
      ? undefined
      : `"${value}" is no service of the enquiry form${nearest(value, services)}; form-service/src/contract/services.json has them all`,
  );

/** A country by its English name. */
export const country = () =>
  checked('country', (value) => {
    if (countryCode(value)) return undefined;
    const meant = otherNames.get(value.toLowerCase());
    return `"${value}" is no country${meant ? `, write "${meant}"` : nearest(value, countryNames)}`;
  }).required('is missing');
