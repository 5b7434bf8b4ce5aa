/**
 * Tests that do not run on the content of the second company, each with its reason. A pattern of a browser test matches
 * its file and title.
 */
export const EXCEPTIONS: readonly { readonly tests: string; readonly reason: string }[] = [
  {
    tests: 'frontend/build/content/(brand|typical|silent|form)-mistakes\\.test',
    reason: 'write content of their own in English, so no word of the company is in them',
  },
  {
    tests: 'frontend/build/content/(load-content|markdown-body|plugin)\\.test',
    reason: 'read the small site of frontend/test/content, which is in English',
  },
  {
    tests:
      '(inbox/(inbox|handling|access)|sign-in/(open-id-connect|drafts)|delivery/delivery|mail/mailer)\\.integration',
    reason: 'look for sentences of inbox and mails in English; browser and unit tests cover both in German',
  },
  { tests: 'kite of the (contact|home) page|kite-string', reason: 'this brand has no kites (motif: none)' },
];

/** Pattern of all exceptions, for `--testPathIgnorePatterns` of Jest and `--grep-invert` of Playwright. */
export const EXCEPTED = EXCEPTIONS.map(({ tests }) => tests).join('|');
