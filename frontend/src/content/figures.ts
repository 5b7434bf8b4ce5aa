/** Figures of `content/images/figures/` by name, with the size of each drawing: the page keeps their room free while they load. */
export const figures = {
  'agentic-ai': { wide: [960, 432], narrow: [320, 712] },
  'custom-software': { wide: [960, 376], narrow: [320, 752] },
  'dedicated-teams': { wide: [960, 424], narrow: [320, 756] },
  'dynamics-crm': { wide: [960, 408], narrow: [320, 496] },
  'emerging-tech': { wide: [960, 416], narrow: [320, 704] },
  'mobile-development': { wide: [960, 432], narrow: [320, 592] },
  'resource-outsourcing': { wide: [960, 424], narrow: [320, 468] },
  'sap-consulting': { wide: [960, 400], narrow: [320, 624] },
  'software-outsourcing': { wide: [960, 400], narrow: [320, 536] },
  'web-development': { wide: [960, 416], narrow: [320, 464] },
  'who-leads': { wide: [960, 440], narrow: [320, 820] },
} as const satisfies Record<
  string,
  { readonly wide: readonly [number, number]; readonly narrow: readonly [number, number] }
>;

export type FigureName = keyof typeof figures;
