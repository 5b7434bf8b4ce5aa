import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isRunnableDevEnvironment, type Plugin, type ResolvedConfig, type Rolldown } from 'vite';
import type * as renderer from '../src/app/render.tsx';
import { compressAll } from './compress.ts';
import { cspHashes } from './csp-hashes.ts';
import { document } from './document.ts';
import { lastModified } from './last-modified.ts';
import { pageStyles } from './page-styles.ts';
import { socialPictures } from './social-pictures.ts';

type BuiltFiles = Rolldown.RolldownOutput['output'];
type Renderer = typeof renderer;

const BOOT = 'src/boot/index.ts';
const DEFERRED = 'src/boot/deferred.ts';
const RENDERER = 'src/app/render.tsx';
const STYLES = 'src/styles/app.css';

/** What takes over the islands of the pages; their elements name these modules. */
const ISLANDS = ['src/features/contact/contact-island.ts', 'src/features/application/application-island.ts'];

/** What both islands share, in two parts that a browser takes in one after the other. */
const CHUNKS = [
  { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\// },
  { name: 'forms', test: /node_modules\/(?:formik|yup)\/|form-service\// },
];

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
      environments: {
        client: {
          build: {
            outDir: 'dist/site',
            emptyOutDir: true,
            modulePreload: false,
            assetsInlineLimit: 0,
            rolldownOptions: {
              input: [...ISLANDS, DEFERRED, STYLES],
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
            rolldownOptions: { input: BOOT, output: { format: 'iife' } },
          },
        },
        ssr: {
          build: {
            outDir: 'dist/server',
            emptyOutDir: true,
            copyPublicDir: false,
            rolldownOptions: { input: RENDERER },
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
        const { client, boot, ssr } = builder.environments;
        if (!client || !boot || !ssr) throw new Error('an environment of the site is missing');
        const [site, bootScript] = await Promise.all([builder.build(client), builder.build(boot), builder.build(ssr)]);
        const renderer = (await import(pathToFileURL(join(config.root, 'dist/server/render.js')).href)) as Renderer;
        await writeSite(renderer, { site: filesOf(site), boot: filesOf(bootScript) }, join(config.root, 'dist'));
      },
    },

    // Until the application is loaded, the browser has no code of the page, and Vite has nothing to tell it of a change.
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
            const { status, head, body } = await renderer.render(pathname);
            const html = document({
              head,
              body,
              styles: `<link rel="stylesheet" href="/${STYLES}">`,
              boot: `<script type="module" src="/${BOOT}"></script>`,
            });
            response.statusCode = status;
            response.setHeader('Content-Type', 'text/html; charset=utf-8');
            response.end(await server.transformIndexHtml(pathname, html));
          } catch (error) {
            next(error);
          }
        });
      };
    },
  };
}

async function writeSite(renderer: Renderer, built: { site: BuiltFiles; boot: BuiltFiles }, dist: string) {
  const site = join(dist, 'site');
  const write = async (path: string, content: string | Uint8Array) => {
    await mkdir(join(site, path, '..'), { recursive: true });
    await writeFile(join(site, path), content);
  };

  const cssFile = fileOf(built.site, (file) => file.type === 'asset' && file.names.includes('app.css'));
  const bootFile = fileOf(built.boot, (file) => file.type === 'chunk' && file.isEntry);
  const css = (await readFile(join(site, cssFile), 'utf8')).trim();
  const chunkFile = (entry: string) =>
    fileOf(built.site, (file) => file.type === 'chunk' && file.facadeModuleId?.endsWith(`/${entry}`) === true);
  const bootSource = (await readFile(join(dist, 'boot', bootFile), 'utf8')).trim();
  const boot = bootSource.replace(DEFERRED, chunkFile(DEFERRED));

  const styles: Record<string, string> = {};
  const pages = await renderer.renderAll();
  for (const { path, head, body: rendered } of pages) {
    const body = rendered.replaceAll(/(?<= data-island="\/)[^"]+/g, chunkFile);
    const used = await pageStyles(css, rendered);
    styles[`/${fileName(path)}`] = used;
    const frame = { head, styles: `<style>${used}</style>`, boot: `<script>${boot}</script>` };
    await write(fileName(path), document({ ...frame, body }));
  }
  // For the form service's plain pages, which do not know the hashed name.
  await write('site.css', css);
  for (const [path, content] of Object.entries(renderer.textFiles(lastModified))) await write(path, content);
  for (const [path, picture] of await socialPictures(
    pages.filter(({ status }) => status === 200).map(({ page }) => page),
    renderer.companyName,
  ))
    await write(path, picture);

  await mkdir(join(dist, 'nginx'), { recursive: true });
  await writeFile(
    join(dist, 'nginx/csp-hashes.conf'),
    cspHashes({ styles, boot, analyticsUrl: renderer.analyticsUrl }),
  );
  await compressAll(site);
}

/** Where nginx looks for a route: `/services` is `services.html`. */
const fileName = (path: string) => (path === '/' ? 'index.html' : `${path.slice(1)}.html`);

const filesOf = (output: unknown) => (output as Rolldown.RolldownOutput).output;

function fileOf(bundle: BuiltFiles, matches: (file: Rolldown.OutputAsset | Rolldown.OutputChunk) => boolean) {
  const file = bundle.find(matches);
  if (!file) throw new Error('the build made no such file');
  return file.fileName;
}
