import { LOCALE } from 'form-service/contract/locale';
import { company, wording, type Page } from 'virtual:content';
import { canonicalUrl } from './head.ts';

/** Returns the sitemap (sitemaps.org): every route. */
export const sitemapXml = (pages: readonly Page[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${pages
    .map(({ path }) => `<url><loc>${canonicalUrl(path)}</loc></url>\n`)
    .join('')}</urlset>\n`;

export const robotsTxt = () => `User-agent: *\nDisallow: /api/\n\nSitemap: ${company.host}/sitemap.xml\n`;

/** Returns security.txt (RFC 9116), which is valid for less than a year from the build. */
export function securityTxt(builtAt: Date): string {
  const expires = new Date(builtAt);
  expires.setUTCDate(expires.getUTCDate() + 364);
  const folder = `${company.host}/.well-known`;
  return [
    `Contact: mailto:${company.securityEmail}`,
    `Expires: ${expires.toISOString()}`,
    `Preferred-Languages: ${new Intl.Locale(LOCALE).language}`,
    `Canonical: ${folder}/security.txt`,
    `Policy: ${folder}/security-policy.txt`,
    '',
  ].join('\n');
}

/** Returns the policy for reporters of vulnerabilities; docs/security.md says the same to developers. */
export function securityPolicy(): string {
  const { title, write, say, tryIt, answer } = wording.security;
  return [title, '', `${write} ${company.securityEmail}.`, say, tryIt, answer, ''].join('\n');
}
