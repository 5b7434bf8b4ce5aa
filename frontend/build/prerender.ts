import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isRunnableDevEnvironment, type Manifest, type Plugin, type ResolvedConfig } from 'vite';
import type * as renderer from '../src/app/render.tsx';
import { colourToken } from './colour-token.ts';
import { compressAll } from './compress.ts';
import { cspHashes } from './csp-hashes.ts';
import { fill, inline, readTemplate } from './document.ts';
import { lastModified } from './last-modified.ts';
import { withMeasured } from './measured.ts';
import { stylePage } from './page-styles.ts';

type Renderer = typeof renderer;

const BOOT = 'src/boot/index.ts';
const DEFERRED = 'src/boot/deferred.ts';
const RENDERER = 'src/app/render.tsx';
const STYLES = 'src/styles/app.css';
const FONT = 'src/styles/fonts/kitewright-display.woff2';

/** What takes over the islands of the pages; their elements name it. */
const ISLANDS = 'src/features/islands.ts';

/** Compressed bytes of a page that come, with the headers of the answer, before a browser has to confirm the first ones. */
const FIRST_ANSWER_BYTES = 13_300;

/** React is a part of its own, so that a slow phone takes in one after the other and is never busy for long. */
const CHUNKS = [{ name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\// }];

/**
 * Builds the site as static files: the browser's code, then every route of the route tree rendered to HTML with its CSS
 * and boot script inline, then everything compressed once. In development it renders each page when it is asked for.
 */
export function prerender(): Plugin {
  let config: ResolvedConfig;

  return {
    name: 'prerender',

    config: (_config, { command }) => ({
      appType: 'custom',
      builder: {},
      define: { PAPER: JSON.stringify({ light: colourToken('paper'), dark: colourToken('paper', 'dark') }) },
      environments: {
        client: {
          build: {
            outDir: 'dist/site',
            emptyOutDir: true,
            manifest: true,
            modulePreload: false,
            assetsInlineLimit: 0,
            rolldownOptions: {
              input: [ISLANDS, DEFERRED, STYLES],
              preserveEntrySignatures: 'exports-only',
              output: { codeSplitting: { groups: CHUNKS } },
            },
          },
        },
        // On its own and as one script: inline, it cannot share modules with the islands.
        boot: {
          consumer: 'client',
          build: {
            outDir: 'dist/boot',
            emptyOutDir: true,
            copyPublicDir: false,
            rolldownOptions: { input: BOOT, output: { format: 'iife', entryFileNames: 'boot.js' } },
          },
        },
        ssr: {
          build: {
            outDir: 'dist/server',
            emptyOutDir: true,
            copyPublicDir: false,
            rolldownOptions: { input: RENDERER, output: { entryFileNames: 'render.js' } },
          },
          // Built, the renderer is whole in itself; in development React stays the CommonJS package it is.
          resolve: command === 'build' ? { noExternal: true as const } : {},
        },
      },
    }),

    configResolved(resolved) {
      config = resolved;
    },

    buildApp: {
      order: 'pre',
      async handler(builder) {
        await Promise.all(Object.values(builder.environments).map((environment) => builder.build(environment)));
        await writeSite(join(config.root, 'dist'), (text) => config.logger.warn(text));
      },
    },

    // The browser has no code of the page but its islands, and Vite nothing to tell it of a change of the rest.
    hotUpdate({ file, modules, server }) {
      const { client } = server.environments;
      const isLoaded = [...(client.moduleGraph.getModulesByFile(file) ?? [])].some(({ type }) => type === 'js');
      if (this.environment.name === 'ssr' && modules.length > 0 && !isLoaded) client.hot.send({ type: 'full-reload' });
    },

    configureServer(server) {
      return () => {
        server.middlewares.use(async (request, response, next) => {
          try {
            const environment = server.environments.ssr;
            if (!isRunnableDevEnvironment(environment)) throw new Error('the ssr environment cannot run modules');
            const renderer = (await environment.runner.import(`/${RENDERER}`)) as Renderer;
            const { pathname } = new URL(request.originalUrl ?? '/', 'http://localhost');
            const page = await renderer.render(pathname);
            response.statusCode = page.status;
            response.setHeader('Content-Type', 'text/html; charset=utf-8');
            // What a build measures is not known here.
            const html = fill(readTemplate(), page).replaceAll(/\{measured\.\w+\}/g, '?');
            response.end(await server.transformIndexHtml(pathname, html));
          } catch (error) {
            next(error);
          }
        });
      };
    },
  };
}

/** Renders every page out of what the three environments have built, and writes what goes with them. */
async function writeSite(dist: string, warn: (text: string) => void) {
  const site = join(dist, 'site');
  const write = async (path: string, content: string | Uint8Array) => {
    await mkdir(join(site, path, '..'), { recursive: true });
    await writeFile(join(site, path), content);
  };
  const { file, scripts } = await readManifest(site);
  const renderer = (await import(pathToFileURL(join(dist, 'server/render.js')).href)) as Renderer;
  const css = (await readFile(join(site, file(STYLES)), 'utf8')).trim();
  const boot = (await readFile(join(dist, 'boot/boot.js'), 'utf8')).trim().replace(DEFERRED, file(DEFERRED));
  const islandScripts = scripts(ISLANDS)
    .map((script) => `/${script}`)
    .join(' ');
  // It names sources, and is nothing for visitors.
  await rm(join(site, '.vite'), { recursive: true });

  const styles: Record<string, string> = {};
  const built = new Map<string, string>();
  for (const { path, head, body } of await renderer.renderAll()) {
    const styled = await stylePage(body, `/${file(FONT)}`);
    styles[`/${fileName(path)}`] = styled.css;
    const linked = styled.html.replaceAll(`data-scripts="/${ISLANDS}"`, `data-scripts="${islandScripts}"`);
    built.set(fileName(path), fill(inline(readTemplate(), styled.css, boot), { head, body: linked }));
  }
  const deferred = await readFile(join(site, file(DEFERRED)), 'utf8');
  for (const [name, html] of withMeasured(built, [boot, deferred])) await write(name, html);
  // For the form service's plain pages, which do not know the hashed name.
  await write('site.css', css);
  for (const [path, content] of Object.entries(renderer.textFiles(lastModified))) await write(path, content);

  await mkdir(join(dist, 'nginx'), { recursive: true });
  const { analyticsUrl } = renderer;
  await writeFile(join(dist, 'nginx/csp-hashes.conf'), cspHashes({ styles, boot, analyticsUrl }));
  await compressAll(site);
  for (const name of built.keys()) {
    const { size } = await stat(join(site, `${name}.br`));
    if (size > FIRST_ANSWER_BYTES)
      warn(`${name} has ${size} bytes: shorter than ${FIRST_ANSWER_BYTES}, it comes at once`);
  }
}

/** Where nginx looks for a route: `/services` is `services.html`. */
const fileName = (path: string) => (path === '/' ? 'index.html' : `${path.slice(1)}.html`);

/** What Vite has built into a folder, by its own list. */
async function readManifest(folder: string) {
  const manifest = JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest;
  const chunk = (source: string) => {
    const found = manifest[source];
    if (!found) throw new Error(`${source} is not among what was built into ${folder}`);
    return found;
  };
  /** The file that came of a source, with all that it imports, each after what it imports itself. */
  const scripts = (source: string): readonly string[] => {
    const { file, imports = [] } = chunk(source);
    return [...new Set([...imports.flatMap(scripts), file])];
  };
  return { file: (source: string) => chunk(source).file, scripts };
}
