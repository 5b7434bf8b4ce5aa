import { whenShown } from './when-shown.ts';

/** What the last script of an island exports. */
interface IslandModule {
  readonly hydrate: (island: HTMLElement) => void;
}

const TOUCHES = ['pointerover', 'pointerdown', 'focusin', 'keydown'];

/** What is near an island: the section or dialog that it is in, and the links that open the dialog. */
const NEAR = ':is(section, dialog):has([data-island]), [aria-haspopup=dialog]';

/** How near the window that must be for the scripts to be fetched ahead. */
const AHEAD = { rootMargin: '600px' };

/** Milliseconds that the page has the line to itself, and that a try which failed waits for the next. */
const PAUSE_MS = 2000;

const TRIES = 3;

/**
 * Loads what takes the page's island over, when the visitor points at it, focuses it or types in it. Until then, and
 * where it cannot be loaded, it is plain HTML, which works.
 */
export function loadIslands(): void {
  const island = document.querySelector<HTMLElement>('[data-island]');
  if (!island) return;
  const scripts = (island.dataset.scripts ?? '').split(' ');
  let tries = 0;
  const touch = ({ target }: Event) => {
    if (!(target instanceof Element && target.closest(NEAR))) return;
    for (const type of TOUCHES) removeEventListener(type, touch);
    tries += 1;
    load(island, scripts).catch(() => tries < TRIES && setTimeout(listen, PAUSE_MS));
  };
  const listen = () => {
    for (const type of TOUCHES) addEventListener(type, touch, { passive: true });
  };
  listen();
  whenShown(() => setTimeout(() => fetchAhead(scripts), PAUSE_MS));
}

async function load(island: HTMLElement, scripts: readonly string[]): Promise<void> {
  fetchAll(scripts);
  let last: unknown;
  // They came together, and run one after the other: a slow phone can do something else between them.
  // oxlint-disable-next-line no-await-in-loop
  for (const script of scripts) last = await import(/* @vite-ignore */ script);
  (last as IslandModule).hydrate(island);
}

/** Fetches the scripts once the form is near and the browser has nothing to do, unless the visitor saves data. */
function fetchAhead(scripts: readonly string[]): void {
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
  if (connection?.saveData || connection?.effectiveType?.endsWith('2g')) return;
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    if ('requestIdleCallback' in window) requestIdleCallback(() => fetchAll(scripts));
    else fetchAll(scripts);
  }, AHEAD);
  for (const element of document.querySelectorAll(NEAR)) observer.observe(element);
}

/** All at once; nothing of them runs yet. */
function fetchAll(scripts: readonly string[]): void {
  if (document.querySelector('link[rel=modulepreload]')) return;
  for (const href of scripts)
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
}
