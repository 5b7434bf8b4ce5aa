import { isMap, isPair, isSeq, LineCounter, parseDocument, type Document, type Node } from 'yaml';

/** Returns the pair of a map, or the item of a list. */
function itemAt(node: unknown, step: string): unknown {
  if (isMap(node)) return node.items.find(({ key }) => String(key) === step);
  return isSeq(node) ? node.items[Number(step)] : undefined;
}

/** Returns the range of a path's value in the source, or of the nearest value around it. */
export function rangeOf(document: Document.Parsed, path: string): readonly [number, number] {
  let node: unknown = document.contents;
  let range = (node as Node | null)?.range ?? [0, 0, 0];
  for (const step of path.match(/[^.[\]]+/g) ?? []) {
    const item = itemAt(node, step);
    if (!item) break;
    node = isPair(item) ? item.value : item;
    const start = ((isPair(item) ? item.key : item) as Node | null)?.range?.[0] ?? range[0];
    range = [start, (node as Node | null)?.range?.[1] ?? start, 0];
  }
  return [range[0], range[1]];
}

/** Returns the line of a path such as `forms.contact.next[0].when`, or of the nearest value around it. */
export function lineOf(source: string, path: string): number {
  const lineCounter = new LineCounter();
  const document = parseDocument(source, { schema: 'failsafe', lineCounter });
  return lineCounter.linePos(rangeOf(document, path)[0]).line;
}
