import { join } from 'node:path';
import { normalizePath, type Plugin, type ResolvedConfig } from 'vite';
import { ContentError } from './findings.ts';
import { writeSchemas } from './json-schema.ts';
import { loadContent, type Content } from './load-content.ts';
import { report } from './report.ts';
import { SERVICES_FILE } from './services.ts';

const MODULE = 'virtual:content';
const RESOLVED = `\0${MODULE}`;

/**
 * Provides the content as the module `virtual:content`. A mistake stops a build before anything is written. In development
 * Vite's overlay shows it until it is corrected, and drafts are included. Both report the same findings.
 */
export function content(): Plugin {
  let config: ResolvedConfig;
  let loaded: Content | undefined;
  const folder = () => join(config.root, 'content');
  const isContent = (file: string) => file.startsWith(normalizePath(folder())) || file === normalizePath(SERVICES_FILE);
  const load = () =>
    (loaded ??= loadContent(folder(), {
      settings: config.env as Record<string, string>,
      drafts: config.command === 'serve',
    }));
  /** Reports the findings, even if no page is requested. */
  const check = () => {
    try {
      report(load().reminders, config.logger.warn);
    } catch (error) {
      if (!(error instanceof ContentError)) throw error;
      report(error.mistakes, config.logger.error);
      if (config.command === 'build') throw error;
    }
  };
  return {
    name: 'content',
    configResolved(resolved) {
      config = resolved;
      writeSchemas(join(folder(), 'schema'));
    },
    buildStart() {
      if (config.command === 'build' && this.environment.name === 'client') check();
    },
    configureServer(server) {
      server.watcher.add(SERVICES_FILE);
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
      if (!isContent(file)) return undefined;
      if (this.environment.name === 'client') {
        loaded = undefined;
        check();
      }
      const module = this.environment.moduleGraph.getModuleById(RESOLVED);
      return module ? [...modules, module] : undefined;
    },
  };
}
