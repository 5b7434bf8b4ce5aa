import { join } from 'node:path';
import { normalizePath, type Plugin, type ResolvedConfig } from 'vite';
import { writeSchemas } from './json-schema.ts';
import { loadContent, type Content } from './load-content.ts';

const MODULE = 'virtual:content';
const RESOLVED = `\0${MODULE}`;

/**
 * Serves what the files in `content/` say as the module `virtual:content`. A mistake stops a build before anything is
 * written; in development it covers the page until it is mended, and drafts are part of the site.
 */
export function content(): Plugin {
  let config: ResolvedConfig;
  const folder = () => join(config.root, 'content');
  let loaded: Content | undefined;
  const load = () =>
    (loaded ??= loadContent(folder(), {
      settings: config.env as Record<string, string>,
      drafts: config.command === 'serve',
    }));
  return {
    name: 'content',
    configResolved(resolved) {
      config = resolved;
      writeSchemas(join(folder(), 'schema'));
    },
    buildStart() {
      if (config.command !== 'build' || this.environment.name !== 'client') return;
      for (const reminder of load().reminders) config.logger.warn(reminder);
    },
    resolveId: (id) => (id === MODULE ? RESOLVED : undefined),
    load(id) {
      if (id !== RESOLVED) return undefined;
      return Object.entries(load())
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join('\n');
    },
    hotUpdate({ file, modules }) {
      if (!file.startsWith(normalizePath(folder()))) return undefined;
      loaded = undefined;
      const module = this.environment.moduleGraph.getModuleById(RESOLVED);
      return module ? [...modules, module] : undefined;
    },
  };
}
