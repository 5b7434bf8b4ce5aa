import { company } from '../content/company.ts';
import { canonicalUrl } from './head.ts';

/** Every route, for search engines (sitemaps.org). */
export const sitemapXml = (paths: readonly string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${paths
    .map((path) => `<url><loc>${canonicalUrl(path)}</loc></url>\n`)
    .join('')}</urlset>\n`;

export const robotsTxt = () => `User-agent: *\nDisallow: /api/\n\nSitemap: ${company.host}/sitemap.xml\n`;

/** Web app manifest: name, colours and icons for a home screen. */
export const manifest = () =>
  JSON.stringify({
    name: company.legalName,
    short_name: company.name,
    start_url: '/',
    display: 'browser',
    background_color: '#fbf8f3',
    theme_color: '#fbf8f3',
    icons: [
      { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icons/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  });

/** How to report a vulnerability (RFC 9116); valid for a year from the build. */
export function securityTxt(builtAt: Date): string {
  const expires = new Date(builtAt);
  expires.setUTCFullYear(expires.getUTCFullYear() + 1);
  return `Contact: mailto:${company.email}\nExpires: ${expires.toISOString()}\nPreferred-Languages: en\nCanonical: ${company.host}/.well-known/security.txt\n`;
}
