import { fileURLToPath } from 'node:url';
import { CONTENT } from '../paths.ts';
import { ContentError, toLine, type Finding } from './findings.ts';
import { loadContent } from './load-content.ts';

/** Prints findings, one line each. */
export function report(findings: readonly Finding[], print: (line: string) => void): void {
  for (const finding of findings) print(toLine(finding));
}

// As a program (scripts/stack/content.ts) it reports the content of this repository; `--drafts` includes drafts.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const drafts = process.argv.includes('--drafts');
  try {
    report(loadContent(CONTENT, { settings: process.env, drafts }).reminders, print);
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    report(error.mistakes, print);
    process.exitCode = 1;
  }
}
