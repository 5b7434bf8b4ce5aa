import { loadContent } from '../../builder/content/load-content.ts';
import { CONTENT } from '../../builder/paths.ts';

/** Replaces `virtual:content`, which only Vite provides: the same content, without an operator's settings. */
export const { brand, motif, company, mailboxes, consent, navigation, wording, pages, jobs, dialogForm } = loadContent(
  CONTENT,
  {
    today: '2026-01-01',
  },
);
