import type { ReactNode } from 'react';
import { islandEntries, type IslandName } from './island-entries.ts';

export interface IslandProps {
  readonly name: IslandName;
  readonly children: ReactNode;
}

/**
 * A form of a page that React hydrates when the visitor first touches it (`boot/load-islands.ts`). `data-scripts` lists
 * its scripts in the order in which they run.
 */
export const Island = ({ name, children }: IslandProps) => (
  <div data-island={name} data-scripts={`/${islandEntries[name]}`}>
    {children}
  </div>
);
