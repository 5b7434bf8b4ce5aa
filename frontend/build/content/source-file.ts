import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from 'yaml';
import { nearest } from './nearest.ts';
import { readBody, type LinkAt } from './markdown-body.ts';
import { yamlMistakes, type Mistake } from './yaml-mistakes.ts';

/** A file of the content: what it says, unchecked, and on which line. */
export interface SourceFile {
  /** Within `content/`. */
  readonly file: string;
  readonly data: unknown;
  /** What could not be read at all. */
  readonly mistakes: readonly Mistake[];
  /** The links of a Markdown text. */
  readonly links: readonly LinkAt[];
  /** Line of a value, by its path such as `sections[2].heading`; of `words` within it, where they are found. */
  readonly lineOf: (path: string, words?: string) => number;
}

/** The facts that a text names in braces, such as `company.name`. */
export type Facts = ReadonlyMap<string, string>;

const FRONT_MATTER = /^---\n([\s\S]*?\n)---\n/;

/**
 * Reads a YAML file, or a Markdown file with front matter.
 *
 * @param facts what stands in the places of their names; without them, names stay as they are
 */
export function readSourceFile(folder: string, file: string, facts?: Facts): SourceFile {
  const bytes = readFileSync(`${folder}/${file}`);
  const source = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n');
  if (!isUtf8(bytes)) {
    const line = source.slice(0, source.indexOf('\uFFFD')).split('\n').length;
    return unreadable(file, line, 'is not UTF-8: save it with that encoding');
  }
  if (!file.endsWith('.md')) return readYaml(file, source, 0, facts);
  const [whole, front] = FRONT_MATTER.exec(source) ?? [];
  if (!whole || !front) return unreadable(file, 1, 'must begin with its facts between two lines of ---');
  const head = readYaml(file, front, 1, facts);
  const linesBefore = whole.split('\n').length - 1;
  const rest = source.slice(whole.length);
  const mistakes: Mistake[] = [];
  const filled = fill(rest, facts, (message, offset) =>
    mistakes.push({ file, line: rest.slice(0, offset).split('\n').length + linesBefore, message }),
  );
  const body = readBody(file, filled, linesBefore);
  return {
    ...head,
    // Without its facts it would be told that each of them is missing.
    data: head.data === undefined && head.mistakes.length > 0 ? undefined : { ...(head.data as object), ...body.data },
    mistakes: [...head.mistakes, ...mistakes, ...body.mistakes],
    links: body.links,
  };
}

const unreadable = (file: string, line: number, message: string): SourceFile => ({
  file,
  data: undefined,
  mistakes: [{ file, line, message }],
  links: [],
  lineOf: () => line,
});

/** A text with the facts in the places of their names. */
function fill(text: string, facts: Facts | undefined, refuse: (message: string, offset: number) => void): string {
  if (!facts) return text;
  return text.replaceAll(/\{([a-z][\w.]*)\}/gi, (whole, name: string, offset: number) => {
    const fact = facts.get(name);
    if (fact === undefined) refuse(`${whole} is no fact of company.yaml${nearest(name, facts.keys())}`, offset);
    return fact ?? whole;
  });
}

function readYaml(file: string, source: string, linesBefore: number, facts: Facts | undefined): SourceFile {
  const lineCounter = new LineCounter();
  const document = parseDocument(source, { schema: 'failsafe', lineCounter });
  const lineAt = (offset: number) => lineCounter.linePos(offset).line + linesBefore;
  const mistakes = yamlMistakes(document, source).map(({ offset, message }) => ({
    file,
    line: lineAt(offset),
    message,
  }));

  /** Plain values of a document. All scalars are text as it stands there; nothing after a colon is null. */
  const valueOf = (node: unknown): unknown => {
    if (isSeq(node)) return node.items.map(valueOf);
    if (isMap(node)) return Object.fromEntries(node.items.map(({ key, value }) => [String(key), valueOf(value)]));
    if (!isScalar(node)) return undefined;
    if (node.type === 'PLAIN' && node.value === '') return null;
    const start = node.range?.[0] ?? 0;
    return fill(String(node.value), facts, (message) => {
      const [name = ''] = message.split(' ');
      mistakes.push({ file, line: lineAt(Math.max(start, source.indexOf(name, start))), message });
    });
  };

  const data = mistakes.length > 0 ? undefined : valueOf(document.contents);
  return {
    file,
    data,
    mistakes,
    links: [],
    lineOf(path, words) {
      const [start, end] = rangeOf(document, path);
      const found = words ? source.indexOf(words, start) : -1;
      return lineAt(found >= 0 && found < end ? found : start);
    },
  };
}

/** Where the value of a path stands in the source, or else what is nearest round it. */
function rangeOf(document: Document.Parsed, path: string): readonly [number, number] {
  let node: unknown = document.contents;
  let range = (node as Node | null)?.range ?? [0, 0, 0];
  for (const step of path.match(/[^.[\]]+/g) ?? []) {
    const item = isMap(node)
      ? node.items.find(({ key }) => String(key) === step)
      : isSeq(node)
        ? node.items[Number(step)]
        : undefined;
    if (!item) break;
    node = isPair(item) ? item.value : item;
    const start = ((isPair(item) ? item.key : item) as Node | null)?.range?.[0] ?? range[0];
    range = [start, (node as Node | null)?.range?.[1] ?? start, 0];
  }
  return [range[0], range[1]];
}
