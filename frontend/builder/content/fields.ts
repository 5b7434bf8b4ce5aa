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
import { telephoneUrl } from 'form-service/contract/telephone';
import { canonicalLanguage } from '../../../form-service/src/contract/locale.ts';
import { countryName } from './countries.ts';
import {
  withoutRefused,
  isRefused,
  linksOf,
  markIn,
  parseText,
  type Inline,
  type Refused,
  type Text,
} from './markdown.ts';
import { nearest } from './nearest.ts';
import type { ImageFacts } from '../images.ts';

/** Field types of the content. Every value arrives as text. */

/** The site as far as values refer to it. It is known before any file is cast. */
export interface Site {
  /** Anchors of each page and file that a link may lead to, by path; undefined where the file cannot be read. */
  readonly targets: ReadonlyMap<string, ReadonlySet<string> | undefined>;
  /** Reason why a path has no page, such as "a draft". */
  readonly gone: ReadonlyMap<string, string>;
  /** Pictures of `content/images` by name. */
  readonly pictures: ReadonlyMap<string, ImageFacts>;
  /** Names of the navigation's groups; undefined where navigation.yaml cannot be read. */
  readonly groups: readonly string[] | undefined;
  /** Address of the site, such as `https://firm.example`. */
  readonly host: string;
  /** Names of the hues of brand.yaml. */
  readonly hues: readonly string[];
  /** Services that the enquiry form offers. */
  readonly services: readonly string[];
}

/** Place of a value: the site, and the page that the value belongs to. */
export interface Place {
  readonly site: Site;
  readonly path: string;
}

const placeOf = ({ options }: TestContext) => options.context as Place;

const NOT_TEXT = 'must be text; put it in quotes if it begins with { or [, or has a colon';

/** Text for a program, such as a name or a date. */
export const token = () =>
  string()
    .typeError(NOT_TEXT)
    .transform((value: unknown) => (typeof value === 'string' ? value.trim() : value));

/** Text for a program that passes a check, if it is not empty. */
export const checked = (message: string, isRight: (value: string) => boolean) =>
  token().test('form', message, (value) => !value || isRight(value));

/** Text without markup, which visitors see as it stands. */
export const plainText = () =>
  token().test('mark', (value, context) => {
    const found = markIn(value ?? '');
    return !found || context.createError({ message: found.mistake, params: { words: found.words } });
  });

/** Text that refers to another part of the site. */
const reference = (check: (value: string, place: Place) => string | undefined) =>
  token().test('reference', (value, context) => {
    const message = value && check(value, placeOf(context));
    return message ? context.createError({ message }) : true;
  });

/** One of the names that the site has, which are known to the reader as `kind`. */
const nameOf = (kind: string, namesIn: (site: Site) => readonly string[] | undefined) =>
  reference((value, { site }) => {
    const names = namesIn(site) ?? [value];
    return names.includes(value) ? undefined : `"${value}" is no ${kind}${nearest(value, names) || listed(names)}`;
  });

const listed = (names: readonly string[]) => (names.length > 12 ? '' : `; there are ${names.join(', ')}`);

/** Complete addresses of other sites, mailboxes and telephones. */
const ABSOLUTE =
  /^(?:https:\/\/[^\s/?#]+\.\p{L}[\p{L}\d-]+(?::\d+)?(?:[/?#]\S*)?|mailto:[^@\s]+@[^@\s?]+\.\p{L}{2,}(?:\?\S*)?|tel:\+?\d+)$/u;

/** Returns what is wrong with the destination of a link. */
export function wrongTarget(href: string, { site: { host, targets, gone }, path }: Place): string | undefined {
  if (href === host || href.startsWith(`${host}/`))
    return `${href} is a page of this site: write its path, ${href.slice(host.length) || '/'}`;
  if (ABSOLUTE.test(href)) return undefined;
  if (!/^(?:\/(?!\/)|#)/.test(href))
    return `${href} is no complete address: begin it with / or # for a page, or with https://, mailto: or tel:`;
  const [to = '', anchor] = href.replace(/\?.*/, '').split('#');
  const page = to || path;
  if (gone.has(page)) return `${href} leads to ${gone.get(page)}`;
  if (!targets.has(page)) return `${href} leads to no page of this site${nearest(to, targets.keys())}`;
  const anchors = targets.get(page);
  if (anchor && anchors?.has(anchor) === false)
    return `${href} leads to no anchor of ${to || 'this page'}${nearest(anchor, anchors)}`;
  return undefined;
}

/** Destination of a link: a path of this site, `#anchor`, `https://`, `mailto:` or `tel:`. */
export const href = () => reference(wrongTarget);

/** Complete address on the web. */
export const webAddress = () =>
  checked(
    'must be a complete address that begins with https://',
    (value) => value.startsWith('https:') && ABSOLUTE.test(value),
  );

/** A sentence or more, as inline Markdown. */
export const markdown = () =>
  mixed<Text>()
    .transform((value: unknown) => {
      if (typeof value !== 'string') return value;
      return value.trim() ? parseText(value) : undefined;
    })
    .test('markdown', (value, context) => {
      if (value === undefined || value === null) return true;
      const { originalValue } = context as TestContext & { originalValue: unknown };
      if (typeof originalValue !== 'string') return context.createError({ message: NOT_TEXT });
      const parts: readonly (Inline | Refused)[] = value;
      const links = linksOf(withoutRefused(parts)).flatMap((words) => {
        const mistake = wrongTarget(words, placeOf(context));
        return mistake ? [{ mistake, words }] : [];
      });
      const mistakes = [...parts.filter(isRefused), ...links].map(({ mistake, words }) =>
        context.createError({ message: mistake, params: { words } }),
      );
      return mistakes.length === 0 || new ValidationError(mistakes);
    });

interface ImageLimits {
  /** In pixels. */
  readonly minWidth?: number;
  /** Width divided by height. */
  readonly maxRatio?: number;
  /** Within `content/images`, with a slash at its end. */
  readonly folder?: string;
}

/** A picture of `content/images`, by its name. */
export const imageName = ({ minWidth = 0, maxRatio = Infinity, folder = '' }: ImageLimits = {}) =>
  reference((value, { site: { pictures } }) => {
    const picture = pictures.get(folder + value);
    if (!picture) {
      const names = [...pictures.keys()].filter((name) => name.startsWith(folder));
      return `"${value}" is not in content/images/${folder}${nearest(
        value,
        names.map((name) => name.slice(folder.length)),
      )}`;
    }
    // A drawing is sharp at any size.
    if (picture.avif.length === 0) return undefined;
    const { width, height } = picture;
    if (width < minWidth) return `"${value}" is ${width} pixels wide, too few for this place: use ${minWidth} or more`;
    return width / height > maxRatio
      ? `"${value}" is ${width} by ${height} pixels, too flat for this place: cut it to at most ${maxRatio} times as wide as high`
      : undefined;
  });

/** Exactly one phone number, which a link can call. */
export const phone = () =>
  checked('must be a phone number such as +91 44 5550 0123', (value) => telephoneUrl(value) !== undefined);

/** One of a set of names. */
export const choice = <Name extends string>(names: readonly Name[], kind: string) =>
  string<Name>()
    .typeError(`must be ${kind}`)
    .oneOf(
      names,
      ({ value }: { value: unknown }) => `"${value}" is no ${kind}${nearest(String(value), names) || listed(names)}`,
    );

/** A boolean in any spelling of YAML, so that none of `draft: true` publishes a page. Yup accepts only true and 1. */
export const flag = () =>
  boolean()
    .transform(
      (value: unknown, original: unknown) =>
        /^(?:yes|on)$/i.test(String(original)) || (/^(?:no|off)$/i.test(String(original)) ? false : value),
    )
    .typeError('must be true or false');

/** Whether a text is a calendar date such as 2026-01-31 (ISO 8601). */
export const isDay = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^\d{4}-\d{2}-\d{2}$/.test(value) &&
  new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value) === true;

/** Calendar date of this century, the same in every time zone. */
export const day = () =>
  checked('must be a date such as 2026-01-31', (value) => isDay(value) && value.startsWith('20'));

/** Object that rejects unknown fields. */
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
          message: `is no field here${nearest(name, known) || listed(known)}`,
        }),
      );
      return mistakes.length === 0 || new ValidationError(mistakes);
    })
    .required('is missing');
};

/** List of at least one item. */
export const list = <Item>(item: ISchema<Item>) =>
  array()
    .typeError('must be a list, each item on a line that begins with "- "')
    .of(item)
    .min(1, 'must have at least one item');

/** The name of a group of links in navigation.yaml, "menu" or "others". */
export const groupName = () => nameOf('group of navigation.yaml', ({ groups }) => groups);

/** A hue of brand.yaml. */
export const hueName = () => nameOf('colour of brand.yaml', ({ hues }) => hues);

/** A service of the enquiry form. */
export const serviceOption = () => nameOf('service of the enquiry form', ({ services }) => services);

/** A country by its code, which search engines read. Visitors read its name in the language of the site. */
export const country = () =>
  checked('must be the two capital letters of a country, such as GB', (value) => Boolean(countryName(value)));

/** A language that the runtime knows the dates and numbers of. */
export const language = () => checked('"${value}" is no known language: write its tag, such as de-DE', isLanguage);

function isLanguage(tag: string): boolean {
  try {
    return canonicalLanguage(tag) !== '';
  } catch {
    return false;
  }
}
