import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { fromMarkdown } from 'mdast-util-from-markdown';
import type { Nodes, RootContent } from 'mdast';
import { isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from 'yaml';

/** A mistake in the content, as its writer is told of it. */
export interface Mistake {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** A file of the content: what it says, unchecked, and on which line. */
export interface ContentFile {
  /** Within `content/`. */
  readonly file: string;
  readonly data: unknown;
  /** What could not be read at all. */
  readonly mistakes: readonly Mistake[];
  /** Line of a value, by its path such as `sections[2].heading`; of `words` within it, where they are found. */
  readonly lineOf: (path: string, words?: string) => number;
}

const FRONT_MATTER = /^---\n([\s\S]*?\n)---\n/;

const lastRead = new Map<string, { readonly bytes: Buffer; readonly content: ContentFile }>();

/** Reads a YAML file, or a Markdown file with front matter; one that has not changed since it was read is not parsed again. */
export function readContentFile(folder: string, file: string): ContentFile {
  const path = `${folder}/${file}`;
  const bytes = readFileSync(path);
  const last = lastRead.get(path);
  if (last?.bytes.equals(bytes)) return last.content;
  const content = parseContent(file, bytes);
  lastRead.set(path, { bytes, content });
  return content;
}

function parseContent(file: string, bytes: Buffer): ContentFile {
  const source = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n');
  if (!isUtf8(bytes)) {
    const line = source.slice(0, source.indexOf('\uFFFD')).split('\n').length;
    return unreadable(file, line, 'is not UTF-8: save it with that encoding');
  }
  if (file.endsWith('.yaml')) return readYaml(file, source, 0);
  const [whole, front] = FRONT_MATTER.exec(source) ?? [];
  if (!whole || !front) return unreadable(file, 1, 'must begin with its facts between two lines of ---');
  const facts = readYaml(file, front, 1);
  const body = readBody(file, source.slice(whole.length), whole.split('\n').length - 1);
  return {
    file,
    data: { ...(facts.data as object | undefined), ...body.data },
    mistakes: [...facts.mistakes, ...body.mistakes],
    lineOf: (path, words) => body.lineOf(path, words) ?? facts.lineOf(path, words),
  };
}

const unreadable = (file: string, line: number, message: string): ContentFile => ({
  file,
  data: undefined,
  mistakes: [{ file, line, message }],
  lineOf: () => line,
});

function readYaml(file: string, source: string, linesBefore: number): ContentFile {
  const lineCounter = new LineCounter();
  const document = parseDocument(source, { schema: 'failsafe', lineCounter });
  const lineAt = (offset: number) => lineCounter.linePos(offset).line + linesBefore;
  return {
    file,
    data: valueOf(document.contents),
    mistakes: document.errors.map(({ pos: [at], message }) => ({
      file,
      line: lineAt(at),
      message: (message.split('\n')[0] ?? '').replace(/ at line \d+.*/, ''),
    })),
    lineOf(path, words) {
      const [start, end] = rangeOf(document, path);
      const found = words ? source.indexOf(words, start) : -1;
      return lineAt(found >= 0 && found < end ? found : start);
    },
  };
}

/** Plain values of a document. All scalars are text as it stands there; nothing after a colon is null. */
function valueOf(node: unknown): unknown {
  if (isSeq(node)) return node.items.map(valueOf);
  if (isMap(node)) return Object.fromEntries(node.items.map(({ key, value }) => [String(key), valueOf(value)]));
  if (!isScalar(node)) return undefined;
  return node.type === 'PLAIN' && node.value === '' ? null : node.value;
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

/** `## Use of information {#use}` */
const ANCHOR = /^(.*?)\s*\{#([\w-]+)\}$/;
const slug = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

type Block = string | { readonly list: readonly string[] };

/** What a Markdown text says: the paragraphs before its first heading, and a clause for each "## " with what is below it. */
function readBody(file: string, source: string, linesBefore: number) {
  const paragraphs: string[] = [];
  const clauses: { readonly id: string; readonly title: string; readonly blocks: Block[] }[] = [];
  const mistakes: Mistake[] = [];
  const ranges = new Map<string, readonly [number, number]>();

  const rangeOfNode = ({ position }: Nodes) => [position?.start.offset ?? 0, position?.end.offset ?? 0] as const;
  const lineAt = (offset: number) => source.slice(0, offset).split('\n').length + linesBefore;
  const refuse = (node: Nodes, message: string) => mistakes.push({ file, line: lineAt(rangeOfNode(node)[0]), message });
  /** A sentence as it is written, on one line. */
  const textOf = (node: Nodes, path: string) => {
    ranges.set(path, rangeOfNode(node));
    return source.slice(...rangeOfNode(node)).replaceAll(/\s*\n\s*/g, ' ');
  };
  const itemsOf = (node: Extract<RootContent, { type: 'list' }>, path: string) =>
    node.children.flatMap(({ children: [text, ...more] }, index) => {
      const other = text?.type === 'paragraph' ? more[0] : text;
      if (other) refuse(other, 'an item of a list is one paragraph');
      return text ? [textOf(text, `${path}.list[${index}]`)] : [];
    });

  for (const node of fromMarkdown(source).children) {
    const clause = clauses.at(-1);
    const path = clause
      ? `clauses[${clauses.length - 1}].blocks[${clause.blocks.length}]`
      : `paragraphs[${paragraphs.length}]`;
    if (node.type === 'heading') {
      if (node.depth !== 2) refuse(node, 'a heading begins with "## "');
      const [first = node] = node.children;
      const words = textOf(
        { ...node, position: { ...node.position, start: first.position?.start } } as Nodes,
        `clauses[${clauses.length}].title`,
      );
      const [, title = words, id = slug(words)] = ANCHOR.exec(words) ?? [];
      clauses.push({ id, title, blocks: [] });
      ranges.set(`clauses[${clauses.length - 1}]`, rangeOfNode(node));
    } else if (node.type === 'paragraph') {
      (clause?.blocks ?? paragraphs).push(textOf(node, path));
    } else if (node.type === 'list' && !node.ordered && clause) {
      clause.blocks.push({ list: itemsOf(node, path) });
    } else if (node.type === 'html') {
      refuse(node, `${node.value.split('\n')[0]} is HTML; write the words, or Markdown such as **bold**`);
    } else {
      refuse(node, 'only paragraphs, lists with "- " and headings with "## " can stand here, a list below a heading');
    }
  }

  return {
    data: { ...(paragraphs.length > 0 ? { paragraphs } : {}), ...(clauses.length > 0 ? { clauses } : {}) },
    mistakes,
    lineOf(path: string, words?: string) {
      const [start, end] = ranges.get(path) ?? [];
      if (start === undefined || end === undefined) return undefined;
      const found = words ? source.indexOf(words, start) : -1;
      return lineAt(found >= 0 && found < end ? found : start);
    },
  };
}
