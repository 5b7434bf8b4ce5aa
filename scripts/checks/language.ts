import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryFiles } from './repository-files.ts';

/** Longest title of a test, in characters. */
const TITLE_MAX_CHARS = 90;

/** Comment that opens with a relative clause instead of a subject. */
const CLAUSE = /^\s*(?:\/\*\*?|\/\/|\*|#)\s+(?:What|Who|Whoever|Whatever|Where|So (?:many|much|long)) (?!is |are )/;

/** Title of a test: the first string of the call, or of the call after a table. */
const TITLE =
  /\b(?:test|it)(?:\.\w+)*\(\s*(['"`])((?:\\.|(?!\1)[^\\\n])*)\1|^\s*\]\)\(\s*(['"`])((?:\\.|(?!\3)[^\\\n])*)\3/gm;

/**
 * Finds comments that open with a relative clause, and test titles that are too long.
 *
 * @returns a sentence for each place
 */
export function languageProblems(root = '.'): string[] {
  const files = repositoryFiles(root, '*.ts', '*.tsx', '*.js', '*.css', '*.conf');
  return files.flatMap((file) => problemsIn(file, readFileSync(join(root, file), 'utf8')));
}

function problemsIn(file: string, text: string): string[] {
  const lines = text.split('\n');
  const opens = (index: number) => !/^\s*\*/.test(lines[index] ?? '') || /^\s*\/\*\*\s*$/.test(lines[index - 1] ?? '');
  const clauses = lines.flatMap((line, index) =>
    CLAUSE.test(line) && opens(index) && !isContinued(lines[index - 1] ?? '')
      ? [`${file}:${index + 1}: the comment opens with a relative clause. Begin with the subject or the verb.`]
      : [],
  );
  if (!/\.(?:test|spec|integration)\.tsx?$/.test(file)) return clauses;
  const titles = [...text.matchAll(TITLE)].flatMap(({ index, 2: one, 4: other }) => {
    const length = (one ?? other ?? '').length;
    const line = text.slice(0, index).split('\n').length;
    return length > TITLE_MAX_CHARS
      ? [`${file}:${line}: the test title has ${length} characters. At most ${TITLE_MAX_CHARS} are allowed.`]
      : [];
  });
  return [...clauses, ...titles];
}

/** Whether the line is a `//` or `#` comment, which the next line continues. */
const isContinued = (line: string) => /^\s*(?:\/\/|#)\s/.test(line);
