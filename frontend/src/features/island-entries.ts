/** Entry of the script of each island, by the name of its form: Vite builds it, and the page names the built files. */
export const islandEntries = {
  contact: 'src/features/contact/island.ts',
  application: 'src/features/application/island.ts',
} as const;

export type IslandName = keyof typeof islandEntries;
