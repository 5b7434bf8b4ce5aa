import { join } from 'node:path';
import { loadContent } from '../../build/content/load-content.ts';

/** Replaces `virtual:content`, which only Vite provides: the same content, without an operator's settings. */
export const { brand, motif, company, mailboxes, consent, navigation, wording, pages, jobs } = loadContent(
  join(import.meta.dirname, '../../content'),
  {
    today: '2026-01-01',
  },
);
