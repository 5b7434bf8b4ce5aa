import { brand, company, type Page } from 'virtual:content';
import images from 'virtual:images';
import { escapeHtml } from '../components/ui/escape-html.ts';
import { structuredData } from './structured-data.tsx';

const meta = (attribute: 'name' | 'property', key: string, value: string) =>
  `<meta ${attribute}="${key}" content="${escapeHtml(value)}">`;

export const canonicalUrl = (path: string) => `${company.host}${path}`;

/** Returns the picture of a shared page: its banner, or the one that the build draws. Social networks read no SVG. */
function pictureOf({ hero: { picture, heading } }: Page) {
  const banner = images[picture?.image ?? ''];
  if (!picture || !banner?.avif[0]) return { src: '/images/social-card.jpg', alt: company.name };
  return { src: banner.src, alt: picture.alt || `${heading.replaceAll('\n', ' ')}, ${company.name}` };
}

/** Returns the tags of a social card, in one of its two kinds. */
function socialCard(page: Page, attribute: 'name' | 'property', prefix: string) {
  const { src, alt } = pictureOf(page);
  return [
    meta(attribute, `${prefix}:url`, canonicalUrl(page.path)),
    meta(attribute, `${prefix}:title`, page.title),
    meta(attribute, `${prefix}:description`, page.description),
    meta(attribute, `${prefix}:image`, company.host + src),
    meta(attribute, `${prefix}:image:alt`, alt),
  ];
}

/** Returns the tags that differ from page to page: description, keywords, canonical, social cards. */
const pageTags = (page: Page) => [
  meta('name', 'description', page.description),
  ...(page.keywords ? [meta('name', 'keywords', page.keywords.join(', '))] : []),
  `<link rel="canonical" href="${canonicalUrl(page.path)}">`,
  meta('name', 'robots', 'max-image-preview:large'),
  meta('property', 'og:type', 'website'),
  ...socialCard(page, 'property', 'og'),
  meta('name', 'twitter:card', 'summary_large_image'),
  ...socialCard(page, 'name', 'twitter'),
  meta('property', 'og:site_name', company.name),
];

/** Escapes `<`, so that `</script>` in a text cannot end the block early. */
export const jsonLd = (entity: object) =>
  `<script type="application/ld+json">${JSON.stringify(entity).replaceAll('<', '\\u003c')}</script>`;

/**
 * Returns the head of a prerendered page, without styles. An error page is not indexed and has no canonical address.
 */
export const headHtml = (page: Page, { isError }: { readonly isError: boolean }): string =>
  [
    `<title>${escapeHtml(page.title)}</title>`,
    ...(isError ? [meta('name', 'robots', 'noindex')] : pageTags(page)),
    ...(['light', 'dark'] as const).map(
      (theme) => `<meta name="theme-color" content="${brand.paper[theme]}" media="(prefers-color-scheme: ${theme})">`,
    ),
    // Phones request `/apple-touch-icon.png` by themselves, crawlers and older browsers `/favicon.ico`.
    '<link rel="icon" href="/icons/tab.svg" sizes="any">',
    ...(isError ? [] : structuredData(page).map(jsonLd)),
  ].join('');
