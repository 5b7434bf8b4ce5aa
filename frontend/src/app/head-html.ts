import { company } from 'virtual:content';
import type { Page } from '../content/schema.ts';
import { pageTags } from './head.ts';
import { structuredData } from './structured-data.tsx';
import tabIcon from '../../content/images/tab-icon.svg?raw';

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/**
 * Within the page, since browsers fetch the tab's icon before they have painted; beside the logo, which has the same paths,
 * it costs some 40 bytes. Browsers that cannot draw it look for `/favicon.ico`, and phones for `/apple-touch-icon.png`, by themselves.
 */
const TAB_ICON = `data:image/svg+xml,${tabIcon.replaceAll('"', "'").replaceAll('#', '%23').replaceAll('<', '%3C').replaceAll('>', '%3E')}`;

/** `</script>` cannot end a block early when every `<` is written as an escape. */
const jsonLd = (entity: object) =>
  `<script type="application/ld+json">${JSON.stringify(entity).replaceAll('<', '\\u003c')}</script>`;

/** Head of a prerendered page, without styles. An error page is not to be indexed and has no canonical address. */
export function headHtml(page: Page, isError: boolean): string {
  const tags = isError
    ? `<meta name="robots" content="noindex">`
    : pageTags(page)
        .map(
          ({ tag, key: [attribute, name], value }) =>
            `<${tag} ${attribute}="${name}" ${tag === 'link' ? 'href' : 'content'}="${escape(value)}">`,
        )
        .join('') +
      `<meta property="og:site_name" content="${escape(company.name)}"><meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">`;
  return [
    `<title>${escape(page.title)}</title>`,
    tags,
    '<meta name="theme-color" content="#fbf8f3" media="(prefers-color-scheme: light)">',
    '<meta name="theme-color" content="#0d1424" media="(prefers-color-scheme: dark)">',
    '<link rel="icon" href="/favicon.ico" sizes="32x32">',
    `<link rel="icon" sizes="any" href="${TAB_ICON}">`,
    ...(isError ? [] : structuredData(page).map(jsonLd)),
  ].join('');
}
