import { fileURLToPath } from 'node:url';
import { CONTENT } from '../paths.ts';
import { ContentError, toLine } from './findings.ts';
import { loadContent, type Content } from './load-content.ts';

type Print = (line: string) => void;

/** Prints the findings of the content, one line each. Returns whether a site can be built of it. */
export function report(load: () => Content, warn: Print, fail: Print): boolean {
  try {
    for (const reminder of load().reminders) warn(toLine(reminder));
    return true;
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    for (const mistake of error.mistakes) fail(toLine(mistake));
    return false;
  }
}

// As a program (scripts/stack/content.ts) it reports the content of this repository; `--drafts` includes drafts.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const drafts = process.argv.includes('--drafts');
  if (!report(() => loadContent(CONTENT, { settings: process.env, drafts }), print, print)) process.exitCode = 1;
}
