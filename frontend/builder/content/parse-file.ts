import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { rangeOf } from '../../../form-service/src/contract/words.ts';
import { mistake, type Finding } from './findings.ts';
import { yamlMistakes } from './yaml-mistakes.ts';

/** A content file after parsing: its values are text, not yet checked against a schema. */
export interface ParsedFile {
  /** Path within `content/`. */
  readonly file: string;
  /** Syntax errors. A file that has one has no values. */
  readonly mistakes: readonly Finding[];
  /** Values of the YAML file or front matter, each text passed through `fill`. A field without a value is null. */
  readonly values: (fill?: (text: string, lineOf: (words: string) => number) => string) => unknown;
  /** The Markdown below the front matter. */
  readonly body: string;
  /** Number of lines before {@link body}. */
  readonly linesBefore: number;
  /** Line of a value by its path, such as `sections[2].heading`, or of `words` within that value. */
  readonly lineOf: (path: string, words?: string) => number;
}

const FRONT_MATTER = /^---[ \t]*\n([\s\S]*?\n)---[ \t]*\n/;

/** Parses a YAML file, or a Markdown file with front matter. */
export function parseFile(folder: string, file: string): ParsedFile {
  const bytes = readFileSync(`${folder}/${file}`);
  const source = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n');
  if (!isUtf8(bytes)) return without(file, 1, 'is no plain text: save it as text (UTF-8), written like the others');
  if (!file.endsWith('.md')) return parseYaml(file, source, 0);
  const [whole = '', front] = FRONT_MATTER.exec(source) ?? [];
  if (!front) return without(file, 1, 'must begin with its facts between two lines of ---');
  const linesBefore = whole.split('\n').length - 1;
  return { ...parseYaml(file, front, 1), body: source.slice(whole.length), linesBefore };
}

/** A file with nothing but a mistake. */
const without = (file: string, line: number, message: string): ParsedFile => ({
  file,
  mistakes: [mistake(file, line, message)],
  values: () => undefined,
  body: '',
  linesBefore: 0,
  lineOf: () => line,
});

const emptyMessage = (file: string) =>
  file.includes('/')
    ? 'is empty: delete the file to take the page off the site, or write "draft: true" on top of what it said'
    : 'is empty, and every page needs it: undo the change that emptied it';

function parseYaml(file: string, source: string, linesBefore: number): ParsedFile {
  const lineCounter = new LineCounter();
  const document = parseDocument(source, { schema: 'failsafe', lineCounter });
  const lineAt = (offset: number) => lineCounter.linePos(offset).line + linesBefore;
  const mistakes = yamlMistakes(document, source).map(({ offset, message }) => mistake(file, lineAt(offset), message));
  const isEmpty = document.contents === null || (isScalar(document.contents) && document.contents.value === '');
  if (mistakes.length === 0 && isEmpty) return without(file, 1, emptyMessage(file));
  return {
    file,
    mistakes,
    body: '',
    linesBefore: 0,
    values(fill = (text) => text) {
      const valueOf = (node: unknown): unknown => {
        if (isSeq(node)) return node.items.map(valueOf);
        if (isMap(node)) return Object.fromEntries(node.items.map(({ key, value }) => [String(key), valueOf(value)]));
        if (!isScalar(node)) return undefined;
        if (node.type === 'PLAIN' && node.value === '') return null;
        const start = node.range?.[0] ?? 0;
        return fill(String(node.value), (words) => lineAt(Math.max(start, source.indexOf(words, start))));
      };
      return mistakes.length > 0 ? undefined : valueOf(document.contents);
    },
    lineOf(path, words) {
      const [start, end] = rangeOf(document, path);
      const found = words ? source.indexOf(words, start) : -1;
      return lineAt(found >= 0 && found < end ? found : start);
    },
  };
}
