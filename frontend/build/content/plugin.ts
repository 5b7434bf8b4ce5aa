import { join, sep } from 'node:path';
import type { Plugin, ResolvedConfig } from 'vite';
import { loadContent } from './load-content.ts';

const MODULE = 'virtual:content';
const RESOLVED = `\0${MODULE}`;

/**
 * Serves what the files in `content/` say as the module `virtual:content`. A mistake stops a build before anything is
 * written; in development it covers the page until it is mended, and drafts are part of the site.
 */
export function content(): Plugin {
  let config: ResolvedConfig;
  const folder = () => join(config.root, 'content');
  const load = () => loadContent(folder(), config.env as Record<string, string>, config.command === 'serve');
  return {
    name: 'content',
    configResolved(resolved) {
      config = resolved;
    },
    buildStart() {
      if (config.command === 'build') load();
    },
    resolveId: (id) => (id === MODULE ? RESOLVED : undefined),
    load(id) {
      if (id !== RESOLVED) return undefined;
      return Object.entries(load())
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join('\n');
    },
    hotUpdate({ file, server }) {
      if (!file.startsWith(folder().replaceAll(sep, '/'))) return undefined;
      const { name, hot, moduleGraph } = this.environment;
      try {
        load();
      } catch (error) {
        if (name === 'client') hot.send({ type: 'error', err: { message: (error as Error).message, stack: '' } });
        return [];
      }
      const module = moduleGraph.getModuleById(RESOLVED);
      if (name === 'ssr' && !module) server.environments.client.hot.send({ type: 'full-reload' });
      return module ? [module] : [];
    },
  };
}
