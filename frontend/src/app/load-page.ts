import { createStaticHandler, type StaticHandlerContext } from 'react-router-dom';
import { company } from 'virtual:content';
import type { Page } from '../content/schema.ts';
import { routes } from './routes.tsx';

export const handler = createStaticHandler(routes);

export interface LoadedPage {
  readonly context: StaticHandlerContext;
  readonly page: Page;
}

/** Finds the route of a path, and loads what its page shows. */
export async function loadPage(path: string): Promise<LoadedPage> {
  const context = await handler.query(new Request(new URL(path, company.host)));
  if (context instanceof Response) throw new Error(`${path} leads to another address`);
  for (const error of Object.values(context.errors ?? {})) throw error;
  return { context, page: context.loaderData[context.matches.at(-1)?.route.id ?? ''] as Page };
}
