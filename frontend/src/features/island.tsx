import type { ReactNode } from 'react';

/** Path of the module whose `hydrate` takes islands over; the build puts the built files in its place, in their order. */
const ENTRY = '/src/features/islands.ts';

export interface IslandProps {
  /** The form that it holds, by its folder. */
  readonly name: 'contact' | 'application';
  readonly children: ReactNode;
}

/** A part of a page that React takes over in the browser, when the visitor first touches it (`boot/islands.ts`). */
export const Island = ({ name, children }: IslandProps) => (
  <div data-island={name} data-scripts={ENTRY}>
    {children}
  </div>
);
