import { normalizePath, type Plugin, type ResolvedConfig } from 'vite';
import { loadContent, type Content } from './load-content.ts';
import { CONTENT } from '../paths.ts';
import { report } from './report.ts';

const MODULE = 'virtual:content';
const RESOLVED = `\0${MODULE}`;

/**
 * Provides the content as the module `virtual:content`. A mistake stops a build before anything is written. In development
 * Vite's overlay shows it until it is corrected, and drafts are included. Both report the same findings.
 */
export function content(folder = CONTENT): Plugin {
  let config: ResolvedConfig;
  let loaded: Content | undefined;
  const load = () =>
    (loaded ??= loadContent(folder, {
      settings: config.env as Record<string, string>,
      drafts: config.command === 'serve',
    }));
  /** Reports the findings, even if no page is requested. */
  const check = () => {
    if (report(load, config.logger.warn, config.logger.error) || config.command !== 'build') return;
    // Vite prints the stack and the properties of an error that ends a build.
    const end = new Error('The mistakes above stop the build.');
    throw Object.assign(end, { stack: end.message });
  };
  return {
    name: 'content',
    enforce: 'pre',
    configResolved(resolved) {
      config = resolved;
    },
    buildApp: { order: 'pre', handler: async () => check() },
    configureServer(server) {
      server.watcher.add(folder);
      check();
    },
    resolveId: (id) => (id === MODULE ? RESOLVED : undefined),
    load(id) {
      if (id !== RESOLVED) return undefined;
      return Object.entries(load())
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join('\n');
    },
    hotUpdate({ file, modules }) {
      if (!file.startsWith(normalizePath(folder))) return undefined;
      if (this.environment.name === 'client') {
        loaded = undefined;
        check();
      }
      const module = this.environment.moduleGraph.getModuleById(RESOLVED);
      return module ? [...modules, module] : undefined;
    },
  };
}
