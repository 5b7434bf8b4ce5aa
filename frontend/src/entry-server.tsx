import { prerender } from 'react-dom/static';
import { StaticRouter } from 'react-router-dom';
import { consent } from './content/company.ts';
import type { Page } from './content/model.ts';
import { headHtml } from './layout/head-html.ts';
import { PageView } from './layout/page-view.tsx';
import { isRoute, loadPage, NOT_FOUND_PATH, routes } from './routes.tsx';
import { manifest, robotsTxt, securityTxt, sitemapXml } from './layout/text-files.ts';

export interface RenderedPage {
  readonly status: 200 | 404;
  readonly head: string;
  readonly body: string;
}

/** Every path to prerender, the not-found page included. */
export const paths: readonly string[] = [...Object.keys(routes), NOT_FOUND_PATH];

export const pages = (): Promise<readonly Page[]> => Promise.all(Object.keys(routes).map(loadPage));

export const analyticsUrl: string = consent.analyticsUrl;

/** Renders a path as the browser will hydrate it. */
export async function render(path: string): Promise<RenderedPage> {
  const page = await loadPage(path);
  const isError = !isRoute(path);
  const app = (
    <StaticRouter location={path}>
      <PageView page={page} />
    </StaticRouter>
  );
  // Never outlined: large content would be moved behind inline scripts, which the Content-Security-Policy forbids.
  const { prelude } = await prerender(app, { progressiveChunkSize: Number.POSITIVE_INFINITY });
  const body = await new Response(prelude as unknown as ReadableStream).text();
  return { status: isError ? 404 : 200, head: headHtml(page, isError), body };
}

/** Files of the site that are text for machines, by path. */
export const textFiles = (): Readonly<Record<string, string>> => ({
  'sitemap.xml': sitemapXml(Object.keys(routes)),
  'robots.txt': robotsTxt(),
  'site.webmanifest': manifest(),
  '.well-known/security.txt': securityTxt(new Date()),
});
