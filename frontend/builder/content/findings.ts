import { resolve } from 'node:path';
import { CONTENT_NAME } from '../../../form-service/src/contract/words.ts';
import { REPOSITORY } from '../paths.ts';

/** Something to correct (a mistake stops a build) or to look at (a reminder does not). */
export interface Finding {
  readonly severity: 'mistake' | 'reminder';
  /** Path within `content/`. */
  readonly file: string;
  readonly line: number;
  /** Advice on what to write, for a reader who does not program. */
  readonly message: string;
}

const of =
  (severity: Finding['severity']) =>
  (file: string, line: number, message: string): Finding => ({ severity, file, line, message });
export const mistake = of('mistake');
export const reminder = of('reminder');

/** A finding as one line: `content/pages/about.yaml:12: heading is missing`. */
export const toLine = ({ file, line, message }: Finding) => `content/${file}:${line}: ${message}`;

/** Removes repeated findings and sorts the rest by file and line. */
export const sortFindings = (findings: readonly Finding[]): readonly Finding[] =>
  [...new Map(findings.map((finding) => [toLine(finding), finding])).values()].toSorted(
    (a, b) => a.file.localeCompare(b.file) || a.line - b.line,
  );

/** All mistakes of the content, with their places, which Vite's overlay shows as links that open an editor. */
export class ContentError extends Error {
  override readonly name = 'ContentError';
  readonly mistakes: readonly Finding[];
  readonly id: string | undefined;
  readonly loc: { readonly file: string; readonly line: number; readonly column: number } | undefined;

  constructor(mistakes: readonly Finding[]) {
    super(mistakes.map(toLine).join('\n'));
    this.mistakes = mistakes;
    const places = mistakes.map(({ file, line }) => ({
      file: resolve(REPOSITORY, CONTENT_NAME, file),
      line,
      column: 1,
    }));
    this.loc = places[0];
    this.id = places[0]?.file;
    // The loader's own calls do not help a writer; the overlay keeps lines that begin with "at".
    this.stack = [this.message, ...places.map(({ file, line, column }) => `    at ${file}:${line}:${column}`)].join(
      '\n',
    );
  }
}
