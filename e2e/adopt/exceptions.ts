/**
 * Tests that do not run on the content of the second company, each with its reason. A pattern of a browser test matches
 * its file and title.
 */
export const EXCEPTIONS: readonly { readonly tests: string; readonly reason: string }[] = [
  { tests: 'kite of the (contact|home) page|kite-string', reason: 'this brand has no kites (motif: none)' },
  {
    tests: 'cookie banner is one row',
    reason: 'its words need a second row at 335 px and below',
  },
];

/** Pattern of all exceptions, for `--testPathIgnorePatterns` of Jest and `--grep-invert` of Playwright. */
export const EXCEPTED = EXCEPTIONS.map(({ tests }) => tests).join('|');
