import type { ReactNode } from 'react';

export interface IslandProps {
  /** Path of the module whose `hydrate` takes it over; the build puts the built file's in its place. */
  readonly entry: string;
  readonly children: ReactNode;
}

/** A part of a page that React takes over in the browser, when the visitor first touches it (`boot/islands.ts`). */
export const Island = ({ entry, children }: IslandProps) => <div data-island={`/${entry}`}>{children}</div>;
