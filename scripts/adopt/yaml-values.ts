import { isMap, isScalar, isSeq, parseDocument, stringify, type Document, type Node } from 'yaml';

export type Value = string | readonly string[];

/**
 * Sets values of a YAML text by their paths, such as `offices.0.street`. Only the values change: comments, order, quotes and
 * line breaks of the rest stay. A text with a syntax error is returned as it is.
 */
export function setYamlValues(source: string, values: ReadonlyMap<string, Value>): string {
  return [...values].reduce((text, [path, value]) => setValue(text, path.split('.'), value), source);
}

function setValue(source: string, path: readonly string[], value: Value): string {
  const document = parseDocument(source, { schema: 'failsafe' });
  if (document.errors.length > 0) return source;
  const node = document.getIn(path, true) as Node | undefined;
  if (!node?.range) return addValue(source, document, path, value);
  if (JSON.stringify(node.toJS(document)) === JSON.stringify(value)) return source;
  const isList = isSeq<Node>(node) && !node.flow;
  const [start] = node.range;
  // The range of a list ends at the next line.
  const [, end] = (isList ? node.items.at(-1)?.range : undefined) ?? node.range;
  const written = isList ? listOf(value, columnOf(source, start)) : inline(value, quoteOf(node));
  return `${source.slice(0, start)}${source[start - 1] === ':' ? ' ' : ''}${written}${source.slice(end)}`;
}

/** Adds a field after the first one of its map. */
function addValue(source: string, document: Document, path: readonly string[], value: Value): string {
  const parent = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents;
  const first = isMap<Node, Node>(parent) ? parent.items[0] : undefined;
  const [start] = first?.key.range ?? [];
  const [, end] = first?.value?.range ?? [];
  if (start === undefined || end === undefined) return source;
  const lineEnd = source.indexOf('\n', end);
  const at = lineEnd < 0 ? source.length : lineEnd;
  return `${source.slice(0, at)}\n${' '.repeat(columnOf(source, start))}${path.at(-1)}: ${inline(value)}${source.slice(at)}`;
}

const columnOf = (source: string, offset: number) => offset - (source.lastIndexOf('\n', offset - 1) + 1);

const quoteOf = (node: Node) => (isScalar(node) && node.type?.startsWith('QUOTE') ? node.type : undefined);

/** Returns a value on one line, with the quotes of the value that it replaces. */
const inline = (value: Value, quotes: string | undefined = 'PLAIN') =>
  typeof value === 'string'
    ? stringify(value, {
        schema: 'failsafe',
        lineWidth: 0,
        defaultStringType: quotes as 'PLAIN',
        singleQuote: quotes !== 'QUOTE_DOUBLE',
      }).trimEnd()
    : JSON.stringify(value);

const listOf = (value: Value, column: number) =>
  [value]
    .flat()
    .map((item) => `- ${inline(item as string)}`)
    .join(`\n${' '.repeat(column)}`);
