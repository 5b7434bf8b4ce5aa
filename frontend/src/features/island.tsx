import type { ReactNode } from 'react';

export interface IslandProps {
  /** Name of the form. */
  readonly name: string;
  readonly children: ReactNode;
}

/**
 * A form of a page that React hydrates when the visitor first touches it (`boot/load-islands.ts`). `data-scripts` lists
 * its scripts in the order in which they run.
 */
export const Island = ({ name, children }: IslandProps) => (
  <div data-island={name} data-scripts={`/src/features/islands/${name}.ts`}>
    {children}
  </div>
);
