import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';
import { iconNames } from '../src/content/icons.ts';

const MODULE = 'virtual:icon-sprite';
const iconFile = (name: string) => createRequire(import.meta.url).resolve(`lucide-static/icons/${name}.svg`);

/** With what draws it alone: colour, size and stroke come from the page's CSS. */
function symbolOf(name: string): string {
  const drawing = readFileSync(iconFile(name), 'utf8').match(/<svg[^>]*>([\s\S]*)<\/svg>/)?.[1];
  if (!drawing) throw new Error(`icon ${name} has no drawing`);
  return `<symbol id="${name}" viewBox="0 0 24 24">${drawing.replace(/\s+/g, ' ').replace(/> </g, '><').trim()}</symbol>`;
}

/** One `<symbol>` an icon. */
export function buildSprite(names: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg">${names.map(symbolOf).join('')}</svg>`;
}

/**
 * Serves the icons named in `content/icons.ts` as one SVG sprite, so that no page and no
 * script carries a drawing, and a browser fetches all of them once. `virtual:icon-sprite` exports the sprite's address.
 */
export function iconSprite(): Plugin {
  const sprite = buildSprite(iconNames);
  const hash = createHash('sha256').update(sprite).digest('hex').slice(0, 8);
  const fileName = `assets/icons-${hash}.svg`;
  return {
    name: 'icon-sprite',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load: (id) => (id === `\0${MODULE}` ? `export default ${JSON.stringify(`/${fileName}`)}` : undefined),
    configureServer(server) {
      server.middlewares.use(`/${fileName}`, (_request, response) => {
        response.setHeader('Content-Type', 'image/svg+xml').end(sprite);
      });
    },
    generateBundle() {
      if (this.environment.name === 'client') this.emitFile({ type: 'asset', fileName, source: sprite });
    },
  };
}
