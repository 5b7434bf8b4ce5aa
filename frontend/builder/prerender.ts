import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isRunnableDevEnvironment, type Manifest, type Plugin } from 'vite';
import { FORMS } from '../../form-service/src/contract/forms.ts';
import type * as renderer from '../src/app/render.tsx';
import { DEFERRED as DEFERRED_ADDRESS } from '../src/boot/deferred-path.ts';
import { iconFiles, markInBothThemes } from './brand-icons.ts';
import { readBrand } from './brand.ts';
import { compressAll } from './compress.ts';
import { cspHashes } from './csp-hashes.ts';
import { fill, inline, readTemplate } from './document.ts';
import { errorTexts } from './nginx-errors.ts';
import { stylePage } from './page-styles.ts';
import { CONTENT, FRONTEND, STYLES } from './paths.ts';
import { formLocations, formMap, islandEntries } from './forms.ts';
import { encodePhotos } from './image-files.ts';
import { socialCard } from './social-card.ts';

type Renderer = typeof renderer;

const BOOT = 'src/boot/index.ts';
const INBOX_KEYS = 'src/inbox-keys.ts';
const DEFERRED = DEFERRED_ADDRESS.slice(1);
const RENDERER = 'src/app/render.tsx';

/**
 * Builds the site as static files: the browser's code, then every route rendered to HTML with its styles and boot script
 * inline, then compressed copies of everything. In development it renders each page on request.
 */
export function prerender(): Plugin {
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
            manifest: true,
            modulePreload: false,
            assetsInlineLimit: 0,
            rolldownOptions: {
              // React is an entry, so it becomes a script of its own: a slow phone can respond between the scripts of
              // an island.
              input: { react: 'react-dom/client', ...islandEntries, deferred: DEFERRED, app: STYLES },
              preserveEntrySignatures: 'exports-only',
            },
          },
        },
        // The inline script is built separately, because it cannot share modules with the islands.
        boot: scriptOf(BOOT, 'boot'),
        inboxKeys: scriptOf(INBOX_KEYS, 'inbox-keys'),
        ssr: {
          build: {
            outDir: 'dist/server',
            emptyOutDir: true,
            copyPublicDir: false,
            rolldownOptions: { input: RENDERER, output: { entryFileNames: 'render.js' } },
          },
          // The built renderer bundles its dependencies. In development React stays an external CommonJS package.
          resolve: command === 'build' ? { noExternal: true as const } : {},
        },
      },
    }),

    buildApp: {
      order: 'pre',
      async handler(builder) {
        const photos = encodePhotos();
        const build = async () => {
          await Promise.all(Object.values(builder.environments).map((environment) => builder.build(environment)));
          await writeSite(photos);
        };
        // The first failure ends the build, also that of a photo that nothing waits for yet.
        await Promise.all([photos, build()]);
      },
    },

    // In the browser only islands have modules, so Vite cannot notify it of other changes.
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
            response.end(await server.transformIndexHtml(pathname, fill(readTemplate(), page)));
          } catch (error) {
            next(error);
          }
        });
      };
    },
  };
}

/**
 * Prerenders every page with the output of the three environments, and writes the files that go with them. A page takes
 * four passes:
 * 1. `renderAll` renders the body with the class names of the source.
 * 2. `stylePage` shortens the class names of the body, and returns its styles.
 * 3. `data-scripts` gets the addresses of the built files.
 * 4. `inline` and `fill` join template, styles, boot and body. Styles and boot do not change after that, because the
 *    Content-Security-Policy has their hashes.
 *
 * @param photos written last, because only their addresses are part of a page, and they take longest
 */
async function writeSite(photos: ReturnType<typeof encodePhotos>) {
  const dist = join(FRONTEND, 'dist');
  const site = join(dist, 'site');
  const write = async (path: string, content: string | Uint8Array) => {
    await mkdir(join(site, path, '..'), { recursive: true });
    await writeFile(join(site, path), content);
  };
  const { file, scripts } = await readManifest(site);
  const renderer: Renderer = await import(pathToFileURL(join(dist, 'server/render.js')).href);
  const forms = renderer.renderForms();
  const css = (await readFile(join(site, file(STYLES)), 'utf8')).trim();
  const { font } = readBrand();
  const face = font === 'system' ? '' : `/${file(`content/${font}`)}`;
  const boot = (await readFile(join(dist, 'boot/boot.js'), 'utf8'))
    .trim()
    .replace(DEFERRED, file(DEFERRED))
    .replace(`/content/${font}`, face);
  // The manifest names source files, which are not published.
  await rm(join(site, '.vite'), { recursive: true });

  const styles: Record<string, string> = {};
  for (const { path, head, body } of await renderer.renderAll()) {
    const styled = await stylePage(body, face, forms);
    styles[`/${fileName(path)}`] = styled.css;
    const html = styled.html.replace(/(?<= data-scripts=")\/([^"]+)/, (_, entry: string) => scripts(entry).join(' '));
    const template = inline(readTemplate(), styled.css, boot);
    await write(fileName(path), fill(template, { head, body: html }));
  }
  const licences = font === 'system' ? {} : await readLicences(dirname(join(CONTENT, font)));
  const links = Object.keys(licences).map((path) => `/*! Licence of the face: /${path} */\n`);
  const files = {
    ...licences,
    // For the pages of the form service, which do not know the hashed name.
    'site.css': links.join('') + css,
    'inbox-keys.js': await readFile(join(dist, 'inbox-keys/inbox-keys.js')),
    'mark.svg': markInBothThemes(),
    ...(await iconFiles()),
    // A `social-card` in content/images takes its place.
    'images/social-card.jpg': await socialCard(renderer.companyName),
    ...renderer.textFiles(),
    '../nginx/csp-hashes.conf': cspHashes(styles, boot, renderer.analyticsUrl),
    '../nginx/forms.conf': formMap(FORMS),
    '../nginx/form-locations.conf': formLocations(FORMS),
    '../nginx/error-texts.conf': errorTexts(),
  };
  for (const [path, content] of Object.entries(files)) await write(path, content);
  await compressAll(site);
  for (const [address, content] of await photos) await write(address, content);
}

/** Reads the licences next to the face, which the Open Font License wants with each copy: all text files. */
async function readLicences(folder: string) {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.txt')).sort();
  const read = names.map(async (name) => [`fonts/${name}`, await readFile(join(folder, name), 'utf8')] as const);
  return Object.fromEntries(await Promise.all(read));
}

/** Environment of a script that is one file, in a folder of its own. */
const scriptOf = (input: string, name: string) => ({
  consumer: 'client' as const,
  build: {
    outDir: `dist/${name}`,
    emptyOutDir: true,
    copyPublicDir: false,
    rolldownOptions: { input, output: { format: 'iife' as const, entryFileNames: `${name}.js` } },
  },
});

/** Returns the file that nginx serves for a route: `services.html` for `/services`. */
const fileName = (path: string) => (path === '/' ? 'index.html' : `${path.slice(1)}.html`);

/** Reads the manifest of the files that Vite has built into a folder. */
async function readManifest(folder: string) {
  const manifest = JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest;
  const chunk = (source: string) => {
    const found = manifest[source];
    if (!found) throw new Error(`The build in ${folder} lacks ${source}`);
    return found;
  };
  /** Returns the addresses of the scripts built from a source, each after its imports. */
  const scripts = (source: string): readonly string[] => {
    const { file, imports = [] } = chunk(source);
    return [...new Set([...imports.flatMap(scripts), `/${file}`])];
  };
  return { file: (source: string) => chunk(source).file, scripts };
}
