/**
 * The notes for HR about a file, shown beside the attachment. None is a reason to refuse the file: honest documents
 * have them too.
 */
export const NOTES = {
  macros: 'The document contains macros: open it with macros switched off.',
  scripts: 'The PDF contains scripts: open it in a browser, or with JavaScript switched off.',
  launches: 'The PDF asks to start other programs or open files: do not allow it.',
  attachments: 'The document has other files inside: do not open them.',
  protected: 'The PDF is protected, so not all of it could be checked, and it may ask for a password.',
  irregular: 'The file is put together in an unusual way. If it does not open, ask the applicant for another copy.',
  incomplete: 'The file could not be checked completely: open it with care.',
} as const;

export type DocumentNote = keyof typeof NOTES;
