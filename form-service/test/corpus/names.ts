/** Names without a known extension, as phones, messengers and scanners send them. */
export const NAMES_WITHOUT_EXTENSION = [
  'cv',
  'pdf',
  'DOC-20210101-WA0003.',
  'Lebenslauf Müller',
  'résumé v1.2',
  'document:1000034567',
  '履歴書',
  'cv.final',
  'Ada Lovelace (1)',
  'primary:Download_cv',
  'cv.pdf.',
  'A. Lovelace, B.Sc.',
] as const;
