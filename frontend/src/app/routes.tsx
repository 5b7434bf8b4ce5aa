import { data, type RouteObject } from 'react-router-dom';
import type { Page } from '../content/model.ts';
import { jobPage } from './job-page.ts';
import { Layout } from './layout.tsx';
import { PageContent } from './page-content.tsx';

/** What a route with parameters says of itself: the addresses that it has in fact. */
export interface RouteHandle {
  readonly paths: () => Promise<readonly string[]>;
}

/** A page of one address, whose content is loaded when it is asked for. */
const page = (path: string, load: () => Promise<{ readonly page: Page }>): RouteObject => ({
  path,
  Component: PageContent,
  lazy: async () => {
    const { page: content } = await load();
    return { loader: () => content };
  },
});

/** Shown for any other path; nginx serves it with status 404. */
const notFound: RouteObject = {
  path: '*',
  Component: PageContent,
  lazy: async () => {
    const { page: content } = await import('../content/pages/not-found.ts');
    return { loader: () => data(content, { status: 404 }) };
  },
};

/** A page for each open position. */
const job: RouteObject = {
  path: '/careers/:slug',
  Component: PageContent,
  lazy: async () => {
    const { jobs } = await import('../content/pages/careers.ts');
    return {
      loader: async ({ params }) => {
        const found = jobs.find(({ id }) => id === params.slug);
        return found ? jobPage(found) : data((await import('../content/pages/not-found.ts')).page, { status: 404 });
      },
    };
  },
  handle: {
    paths: async () => (await import('../content/pages/careers.ts')).jobs.map(({ id }) => `/careers/${id}`),
  } satisfies RouteHandle,
};

const pages: readonly RouteObject[] = [
  page('/', () => import('../content/pages/home.ts')),
  page('/about', () => import('../content/pages/about.ts')),
  page('/services', () => import('../content/pages/services.ts')),
  page('/services/custom-software', () => import('../content/pages/custom-software.ts')),
  page('/services/web-development', () => import('../content/pages/web-development.ts')),
  page('/services/mobile-development', () => import('../content/pages/mobile-development.ts')),
  page('/services/emerging-tech', () => import('../content/pages/emerging-tech.ts')),
  page('/services/agentic-ai', () => import('../content/pages/agentic-ai.ts')),
  page('/services/sap-consulting', () => import('../content/pages/sap-consulting.ts')),
  page('/services/dynamics-crm', () => import('../content/pages/dynamics-crm.ts')),
  page('/services/staff-augmentation', () => import('../content/pages/staff-augmentation.ts')),
  page('/services/dedicated-teams', () => import('../content/pages/dedicated-teams.ts')),
  page('/services/software-outsourcing', () => import('../content/pages/software-outsourcing.ts')),
  page('/services/resource-outsourcing', () => import('../content/pages/resource-outsourcing.ts')),
  page('/careers', () => import('../content/pages/careers.ts')),
  job,
  page('/contact', () => import('../content/pages/contact.ts')),
  page('/sitemap', () => import('../content/pages/sitemap.ts')),
  page('/privacy', () => import('../content/pages/privacy.ts')),
  page('/terms', () => import('../content/pages/terms.ts')),
];

/** The site: the dev server and the build render from this tree, and nothing else names the pages. */
export const routes: RouteObject[] = [{ Component: Layout, children: [...pages, notFound] }];

/** Every address of the site, in the tree's order. A route with parameters lists its own in its {@link RouteHandle}. */
export async function sitePaths(): Promise<readonly string[]> {
  const paths = await Promise.all(
    pages.map(({ path, handle }) => (handle as RouteHandle | undefined)?.paths() ?? [path ?? '/']),
  );
  return paths.flat();
}
