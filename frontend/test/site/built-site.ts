import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the built site, as nginx serves it. */
export const SITE = join(import.meta.dirname, '../../dist/site');

export const NOT_FOUND = '/404';

export const readText = (file: string) => readFileSync(join(SITE, file), 'utf8');

/** Every route of the site, from its sitemap. */
export const ROUTES: readonly string[] = [...readText('sitemap.xml').matchAll(/<loc>([^<]+)/g)].map(
  ([, address = '']) => new URL(address).pathname,
);

/** The routes and the not-found screen. */
export const PAGES: readonly string[] = [...ROUTES, NOT_FOUND];

/** File of a page, relative to {@link SITE}. */
export const pageFile = (path: string) => (path === '/' ? 'index.html' : `${path.slice(1)}.html`);

/** Returns the paths of all HTML files, in the form of {@link ROUTES}. */
export const builtPages = () =>
  readdirSync(SITE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html'))
    .map((file) => (file === 'index.html' ? '/' : `/${file.slice(0, -'.html'.length)}`));

export const isFile = (file: string) => existsSync(join(SITE, file));

const documents = new Map<string, Document>();

/** Returns a page's parsed document. */
export function pageAt(path: string): Document {
  let parsed = documents.get(path);
  if (!parsed) {
    parsed = new DOMParser().parseFromString(readText(pageFile(path)), 'text/html');
    documents.set(path, parsed);
  }
  return parsed;
}

const SPACE = /\s+/g;

/** Class of text for screen readers only, of which the build shortens the name. */
const UNSEEN = /\.([\w-]+)\{clip-path:inset\(50%\)/;

/** Returns an element's visible text, with single spaces between words. */
export function textOf(element: Element | null | undefined): string {
  if (!element) return '';
  const copy = element.cloneNode(true) as Element;
  const [, unseen] = UNSEEN.exec(element.ownerDocument.querySelector('style')?.textContent ?? '') ?? [];
  for (const hidden of copy.querySelectorAll(`script, style, template, [hidden]${unseen ? `, .${unseen}` : ''}`))
    hidden.remove();
  return (copy.textContent ?? '').replaceAll(SPACE, ' ').trim();
}

/** Returns the only element that matches `selector`. */
export function one<Found extends Element = Element>(scope: ParentNode, selector: string): Found {
  const found = scope.querySelectorAll<Found>(selector);
  if (found.length !== 1 || !found[0]) throw new Error(`${found.length} elements match ${selector}, not one`);
  return found[0];
}
