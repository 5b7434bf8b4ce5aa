import { fromMarkdown } from 'mdast-util-from-markdown';
import { isTakenId } from './file-names.ts';
import { mistake, type Finding } from './findings.ts';
import {
  withoutRefused,
  isRefused,
  linksOf,
  markIn,
  plainWords,
  SYNTAX,
  textOf,
  type MarkdownNode,
  type Text,
} from './markdown.ts';

/** A block of a Markdown text: a sub-heading, a paragraph or a list, whose items hold blocks of their own. */
export type Block =
  | { readonly heading: string; readonly id: string }
  | { readonly text: Text }
  | { readonly list: readonly (readonly Block[])[]; readonly ordered: boolean; readonly start: number };

/** A heading that begins with "## ", and the blocks below it. */
export interface Part {
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** A Markdown text: the blocks before its first heading, then its parts. */
export interface Body {
  readonly lead: readonly Block[];
  readonly parts: readonly Part[];
}

/** `## Use of information {#use}` */
const ANCHOR = /^(.*?)\s*\{#([\w-]+)\}$/;

/** Reads the Markdown below a front matter of `linesBefore` lines. */
export function readBody(file: string, source: string, linesBefore: number) {
  const findings: Finding[] = [];
  const links: { readonly href: string; readonly line: number }[] = [];
  const ids = new Set<string>();
  const lead: Block[] = [];
  const parts: (Part & { readonly blocks: Block[] })[] = [];

  /** Line of a node, or of words within it. */
  const lineOf = (node: MarkdownNode, words = '') => {
    const start = node.position?.start.offset ?? 0;
    const found = source.slice(start, node.position?.end.offset).indexOf(words);
    return source.slice(0, start + Math.max(0, found)).split('\n').length + linesBefore;
  };
  const refuse = (node: MarkdownNode, message: string, words?: string) =>
    void findings.push(mistake(file, lineOf(node, words), message));

  /** Returns title and unique id of a heading: the writer's anchor, or else a slug of the words. */
  const titleOf = (node: MarkdownNode<'heading'>) => {
    const inline = textOf(node.children, source);
    const words = plainWords(inline).trim();
    const refused = inline.find(isRefused);
    if (refused) refuse(node, refused.mistake, refused.words);
    const [, title = words, wanted] = ANCHOR.exec(words) ?? [];
    if (linksOf(withoutRefused(inline)).length > 0)
      refuse(node, 'a heading cannot have a link: write it in the text below');
    if (!title && !refused) refuse(node, 'a heading has no words');
    if (wanted && isTakenId(wanted))
      refuse(node, `{#${wanted}} belongs to the frame of the page or to a form: choose another one`);
    if (wanted && ids.has(wanted)) refuse(node, `{#${wanted}} is the anchor of another heading: choose another one`);
    const name =
      wanted ??
      title
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, '');
    let id = name;
    for (let count = 2; ids.has(id) || isTakenId(id); count++) id = `${name}-${count}`;
    ids.add(id);
    return { id, title };
  };
  const listOf = ({ ordered, start, children }: MarkdownNode<'list'>): Block => {
    for (const item of children) if (item.children.length === 0) refuse(item, 'a point of the list has no words');
    return {
      list: children.map((item) =>
        item.children.flatMap((node, index) => blockOf(node, item.children[index - 1], { isInItem: true })),
      ),
      ordered: ordered === true,
      start: start ?? 1,
    };
  };
  const blockOf = (node: MarkdownNode, previous?: MarkdownNode, { isInItem = false } = {}): readonly Block[] => {
    if (node.type === 'list' && previous?.type === 'list')
      refuse(node, 'a second list begins here, because its marks differ: begin all points of a list with the same one');
    if (node.type === 'list') return [listOf(node)];
    if (node.type === 'paragraph') {
      if (node.children.length === 1 && node.children[0]?.type === 'strong' && !isInItem)
        refuse(node, 'bold words alone are no heading: begin the line with "## " instead, or write more words');
      const inline = textOf(node.children, source);
      for (const refused of inline.filter(isRefused)) refuse(node, refused.mistake, refused.words);
      const text = withoutRefused(inline);
      links.push(...linksOf(text).map((href) => ({ href, line: lineOf(node, href) })));
      return [{ text }];
    }
    if (node.type === 'heading' && node.depth === 3 && parts.length > 0 && !isInItem) {
      const { id, title } = titleOf(node);
      return [{ heading: title, id }];
    }
    if (node.type === 'heading') refuse(node, 'a heading begins with "## ", and one below it with "### "');
    else if (node.type === 'html') refuse(node, markIn(node.value)?.mistake ?? 'HTML cannot stand here');
    else refuse(node, 'only headings, paragraphs and lists can stand here');
    return [];
  };

  const { children } = fromMarkdown(source, SYNTAX);
  for (const [index, node] of children.entries())
    if (node.type === 'heading' && node.depth === 2) parts.push({ ...titleOf(node), blocks: [] });
    else (parts.at(-1)?.blocks ?? lead).push(...blockOf(node, children[index - 1]));
  const isWhole = findings.length === 0;
  const missing = (what: string) => isWhole && findings.push(mistake(file, linesBefore + 1, what));
  if (lead.length === 0 && file.startsWith('jobs/')) missing('a text about the work is missing here');
  if (parts.length === 0) missing('a part that begins with a line "## ..." is missing below');
  return { body: { lead, parts } satisfies Body, findings, links };
}
