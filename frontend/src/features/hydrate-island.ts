import type { ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';

/** Takes over the island of the page; there is one on a page at most. */
export function hydrateIsland(content: ReactNode): void {
  const island = document.querySelector('[data-island]');
  if (island) hydrateRoot(island, content);
}
