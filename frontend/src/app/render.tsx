import { renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom';
import { company, consent, type Page } from 'virtual:content';
import { headHtml } from './head.ts';
import { NOT_FOUND_PATH, routes, sitePages } from './routes.tsx';
import { robotsTxt, securityPolicy, securityTxt, sitemapXml } from './text-files.ts';

export { renderForms } from '../features/form-states.tsx';

export type RenderedPage = Awaited<ReturnType<typeof render>>;

const handler = createStaticHandler(routes);

/** Renders the page of a path. The browser runs no router, so nothing is written for one. */
export async function render(path: string) {
  const context = await handler.query(new Request(new URL(path, company.host)));
  if (context instanceof Response) throw new Error(`${path} leads to another address`);
  for (const error of Object.values(context.errors ?? {})) throw error;
  const page = context.loaderData[context.matches.at(-1)?.route.id ?? ''] as Page;
  const router = createStaticRouter(handler.dataRoutes, context);
  const body = renderToString(<StaticRouterProvider router={router} context={context} hydrate={false} />);
  const status = context.statusCode;
  return { path, status, head: headHtml(page, { isError: status !== 200 }), body };
}

/** Every page of the site, and last the one for unknown paths. */
export const renderAll = () => Promise.all([...sitePages.map(({ path }) => path), NOT_FOUND_PATH].map(render));

export const analyticsUrl: string = consent.analyticsUrl;

export const companyName: string = company.name;

/** Files of the site that are text for machines, by path. */
export const textFiles = (): Readonly<Record<string, string>> => ({
  'sitemap.xml': sitemapXml(sitePages),
  'robots.txt': robotsTxt(),
  '.well-known/security.txt': securityTxt(new Date()),
  '.well-known/security-policy.txt': securityPolicy(),
});
