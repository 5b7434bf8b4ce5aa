import { OPENERS } from './dialogs.ts';
import { whenShown } from './when-shown.ts';

const TOUCHES = ['pointerover', 'pointerdown', 'focusin', 'keydown'];

/** Elements whose touch loads the island: its section or dialog, and the links that open the dialog. */
const SURROUNDINGS = `:is(section, dialog):has([data-island]), ${OPENERS}`;

/** Distance between a form and the window, in pixels, at which its scripts are prefetched. */
const PREFETCH_MARGIN_PX = 600;

/** Milliseconds before prefetching, which leaves the connection to the page. */
const PAUSE_MS = 2000;

/**
 * Loads and hydrates the page's island when the visitor points at it, focuses it or presses a key in it. Until then, and
 * where its scripts cannot be loaded, it is plain HTML, which works.
 */
export function loadIslands(): void {
  const island = document.querySelector<HTMLElement>('[data-island]');
  if (!island) return;
  const scripts = (island.dataset.scripts ?? '').split(' ');
  const touch = ({ target }: Event) => {
    if (!(target instanceof Element && target.closest(SURROUNDINGS))) return;
    for (const type of TOUCHES) removeEventListener(type, touch);
    load(island, scripts).catch(() => {});
  };
  for (const type of TOUCHES) addEventListener(type, touch, { passive: true });

  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
  if (connection?.saveData || connection?.effectiveType?.endsWith('2g')) return;
  whenShown(() => setTimeout(() => prefetchNearWindow(island, scripts), PAUSE_MS));
}

async function load(island: HTMLElement, scripts: readonly string[]): Promise<void> {
  prefetch(scripts);
  let last: { hydrate?: (island: HTMLElement) => void } = {};
  // The scripts load together and run one after the other, so that a slow phone can respond between them.
  // oxlint-disable-next-line no-await-in-loop
  for (const script of scripts) last = await import(/* @vite-ignore */ script);
  last.hydrate?.(island);
}

/** Prefetches the scripts of a form once it is near the window and the browser is idle. One in a closed dialog never is. */
function prefetchNearWindow(island: HTMLElement, scripts: readonly string[]): void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      if ('requestIdleCallback' in window) requestIdleCallback(() => prefetch(scripts));
      else prefetch(scripts);
    },
    { rootMargin: `${PREFETCH_MARGIN_PX}px` },
  );
  observer.observe(island);
}

/** Fetches all scripts at once, without running them. */
function prefetch(scripts: readonly string[]): void {
  if (document.querySelector('link[rel=modulepreload]')) return;
  for (const href of scripts)
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
}
