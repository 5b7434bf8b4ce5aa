import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as renderer from '../src/app/render.tsx';

export type { RenderedPage } from '../src/app/render.tsx';
export type Renderer = typeof renderer;

/** Loads the renderer that the ssr environment has built. */
export const loadRenderer = async (root: string): Promise<Renderer> =>
  (await import(pathToFileURL(join(root, 'dist/server/render.js')).href)) as Renderer;
