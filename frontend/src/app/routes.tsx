import { data, type RouteObject } from 'react-router-dom';
import { pages, type Page } from 'virtual:content';
import { Layout } from './layout.tsx';
import { PageContent } from './page-content.tsx';

/** The page for a path that no route has; nginx serves it with status 404. */
export const NOT_FOUND_PATH = '/404';

/** Every page of the site, by its path. */
export const sitePages: readonly Page[] = pages.filter(({ path }) => path !== NOT_FOUND_PATH);

const route = (page: Page): RouteObject => ({ path: page.path, Component: PageContent, loader: () => page });

const errorPage = pages.find(({ path }) => path === NOT_FOUND_PATH);
const notFound: RouteObject = { path: '*', Component: PageContent, loader: () => data(errorPage, 404) };

/** The site: the dev server and the build render from this tree, which is made of the files in `content/`. */
export const routes: RouteObject[] = [{ Component: Layout, children: [...sitePages.map(route), notFound] }];
