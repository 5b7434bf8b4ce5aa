import { company } from 'virtual:content';
import type { Page } from '../content/schema.ts';
import { socialImagePath } from './social-image.ts';

/** A tag of the head: its name, what identifies it among its kind, and its value. */
interface HeadTag {
  readonly tag: 'meta' | 'link';
  readonly key: readonly [attribute: 'name' | 'property' | 'rel', value: string];
  readonly value: string;
}

export const canonicalUrl = (path: string) => `${company.host}${path}`;

/** The tags that differ from page to page: description, keywords, canonical, social cards. */
export function pageTags(page: Page): readonly HeadTag[] {
  const url = canonicalUrl(page.path);
  const meta = (attribute: 'name' | 'property', key: string, value: string): HeadTag => ({
    tag: 'meta',
    key: [attribute, key],
    value,
  });
  const card = (attribute: 'name' | 'property', prefix: string) => [
    meta(attribute, `${prefix}:url`, url),
    meta(attribute, `${prefix}:title`, page.title),
    meta(attribute, `${prefix}:description`, page.description),
    meta(attribute, `${prefix}:image`, `${company.host}${socialImagePath(page.path)}`),
    meta(attribute, `${prefix}:image:alt`, `${page.hero.heading}, on a drawing of kites`),
  ];
  return [
    meta('name', 'description', page.description),
    ...(page.keywords ? [meta('name', 'keywords', page.keywords.join(', '))] : []),
    { tag: 'link', key: ['rel', 'canonical'], value: url },
    meta('name', 'robots', 'max-image-preview:large'),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:locale', 'en_GB'),
    ...card('property', 'og'),
    meta('name', 'twitter:card', 'summary_large_image'),
    ...card('name', 'twitter'),
  ];
}
