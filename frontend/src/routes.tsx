import type { Page } from './content/model.ts';
import { loadSections } from './layout/section-view.tsx';
import { loadHero } from './sections/hero.tsx';

/** A page's content, loaded when the page is asked for. */
type LoadContent = () => Promise<{ readonly page: Page }>;

/** Every page of the site: the router, the prerenderer and the sitemap read this table. */
export const routes: Readonly<Record<string, LoadContent>> = {
  '/': () => import('./content/pages/home.ts'),
  '/about': () => import('./content/pages/about.ts'),
  '/services': () => import('./content/pages/services.ts'),
  '/services/custom-software': () => import('./content/pages/custom-software.ts'),
  '/services/web-development': () => import('./content/pages/web-development.ts'),
  '/services/mobile-development': () => import('./content/pages/mobile-development.ts'),
  '/services/emerging-tech': () => import('./content/pages/emerging-tech.ts'),
  '/services/agentic-ai': () => import('./content/pages/agentic-ai.ts'),
  '/services/sap-consulting': () => import('./content/pages/sap-consulting.ts'),
  '/services/dynamics-crm': () => import('./content/pages/dynamics-crm.ts'),
  '/services/staff-augmentation': () => import('./content/pages/staff-augmentation.ts'),
  '/services/dedicated-teams': () => import('./content/pages/dedicated-teams.ts'),
  '/services/software-outsourcing': () => import('./content/pages/software-outsourcing.ts'),
  '/services/resource-outsourcing': () => import('./content/pages/resource-outsourcing.ts'),
  '/careers': () => import('./content/pages/careers.ts'),
  '/contact': () => import('./content/pages/contact.ts'),
  '/sitemap': () => import('./content/pages/sitemap.ts'),
  '/privacy': () => import('./content/pages/privacy.ts'),
  '/terms': () => import('./content/pages/terms.ts'),
};

/** Shown for any other path; nginx serves it with status 404. */
export const NOT_FOUND_PATH = '/404';
const notFound: LoadContent = () => import('./content/pages/not-found.ts');

export const isRoute = (path: string) => Object.hasOwn(routes, path);

/** Loads all a path's page needs to render at once. */
export async function loadPage(path: string): Promise<Page> {
  const load = isRoute(path) ? routes[path] : undefined;
  const { page } = await (load ?? notFound)();
  await Promise.all([loadHero(page.hero), loadSections(page)]);
  return page;
}
