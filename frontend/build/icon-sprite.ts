import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { iconNames, iconShapes } from './icons.ts';
import { hashOf } from './cache.ts';

const MODULE = 'virtual:icon-sprite';
const ROOT = join(import.meta.dirname, '..');

const readAll = (folder: string, ending: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => readFileSync(join(ROOT, folder, file), 'utf8'));

/** The icons that the content names, and those that stand in the components that draw icons. */
export function usedIcons(): readonly string[] {
  const named = readAll('content', '.yaml').flatMap((text) => [...text.matchAll(/\bicon: ['"]?([\w-]+)/g)]);
  const quoted = readAll('src', '.tsx').flatMap((code) =>
    code.includes('/icon.tsx') ? [...code.matchAll(/['"]([\w-]+)['"]/g)] : [],
  );
  const words = new Set([...named, ...quoted].map(([, word]) => word));
  return iconNames.filter((name) => words.has(name));
}

const symbolOf = (name: string) => `<symbol id="${name}" viewBox="0 0 24 24">${iconShapes(name)}</symbol>`;

/** One `<symbol>` an icon. */
export const buildSprite = (names: readonly string[]) =>
  `<svg xmlns="http://www.w3.org/2000/svg">${names.map(symbolOf).join('')}</svg>`;

/**
 * Serves the site's icons as one SVG sprite, which all pages share: a browser fetches it once, beside the text and not
 * before it. `virtual:icon-sprite` exports its address.
 */
export function iconSprite(): Plugin {
  const sprite = buildSprite(usedIcons());
  const fileName = `assets/icons-${hashOf(sprite)}.svg`;
  return {
    name: 'icon-sprite',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load: (id) => (id === `\0${MODULE}` ? `export default ${JSON.stringify(`/${fileName}`)}` : undefined),
    configureServer(server) {
      server.middlewares.use(`/${fileName}`, (_request, response) => {
        response.setHeader('Content-Type', 'image/svg+xml').end(buildSprite(usedIcons()));
      });
    },
    generateBundle() {
      if (this.environment.name === 'client') this.emitFile({ type: 'asset', fileName, source: sprite });
    },
  };
}
