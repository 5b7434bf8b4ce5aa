import type { Difference } from './compare.ts';
import type { Gallery, Shot } from './gallery.ts';
import { THEMES } from './options.ts';

export interface SheetEntry {
  readonly shot: Shot;
  readonly difference?: Difference | undefined;
}

/** How much smaller than the page a picture is shown. */
const SCALE = 0.22;

const STYLES = `
  :root { color-scheme: light dark; font: 14px/1.4 system-ui, sans-serif; }
  body { margin: 1rem; }
  nav { position: sticky; top: 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: .5rem 0; background: Canvas; }
  section { margin-block: 2rem; }
  .row { display: flex; gap: 1rem; align-items: start; overflow-x: auto; }
  figure { flex: none; margin: 0; }
  img { display: block; border: 1px solid GrayText; }
  .changed { font-weight: bold; color: light-dark(#b3261e, #ff9d94); }
`;

/** An HTML page with every picture of the gallery side by side, a row a page and theme; each links to its full size. */
export function contactSheet(gallery: Gallery, entries: readonly SheetEntry[]): string {
  const paths = [...new Set(entries.map(({ shot }) => shot.path))];
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Screenshots</title><style>${STYLES}</style>
<nav>${paths.map((path) => `<a href="#${path}">${path}</a>`).join('')}</nav>
${paths
  .map((path) =>
    pageRows(
      gallery,
      path,
      entries.filter(({ shot }) => shot.path === path),
    ),
  )
  .join('\n')}
</html>
`;
}

function pageRows(gallery: Gallery, path: string, entries: readonly SheetEntry[]): string {
  const rows = THEMES.map((theme) => {
    const shown = entries.filter(({ shot }) => shot.theme === theme);
    return `<div class="row">${shown.map((entry) => figure(gallery, entry)).join('')}</div>`;
  });
  return `<section id="${path}"><h2>${path}</h2>${rows.join('')}</section>`;
}

function figure(gallery: Gallery, { shot, difference }: SheetEntry): string {
  const file = gallery.fileOf(shot);
  const size = Math.round(shot.width * SCALE);
  return `<figure><figcaption>${shot.width} ${shot.theme} ${note(gallery, shot, difference)}</figcaption><a href="${file}"><img src="${file}" width="${size}" loading="lazy" alt=""></a></figure>`;
}

const note = (gallery: Gallery, shot: Shot, difference: Difference | undefined) =>
  difference?.rows
    ? `<a class="changed" href="${gallery.fileOf(shot, 'previous')}">${percent(difference)} changed</a>`
    : '';

export const percent = ({ share }: Difference): string => `${(share * 100).toFixed(2)} %`;
