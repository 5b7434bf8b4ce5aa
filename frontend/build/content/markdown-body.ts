import { fromMarkdown } from 'mdast-util-from-markdown';
import type { Nodes, PhrasingContent, RootContent } from 'mdast';
import { accepted, isRefused, linksOf, textOf, type Text } from './markdown.ts';
import type { Mistake } from './yaml-mistakes.ts';

/** Where a text leads, and on which line it says so. */
export interface LinkAt {
  readonly href: string;
  readonly line: number;
}

/** A part of a Markdown text that stands on its own. */
export type Block = Text | { readonly list: readonly Text[] };

/** A heading, and what is below it. */
export interface Clause {
  readonly id: string;
  readonly title: string;
  readonly blocks: Block[];
}

/** `## Use of information {#use}` */
const ANCHOR = /^(.*?)\s*\{#([\w-]+)\}$/;
const slug = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** What a Markdown text says: the paragraphs before its first heading, and a clause for each "## " with what is below it. */
export function readBody(file: string, source: string, linesBefore: number) {
  const isLegal = file.startsWith('legal/');
  const paragraphs: Text[] = [];
  const clauses: Clause[] = [];
  const headings: Nodes[] = [];
  const mistakes: Mistake[] = [];
  const links: LinkAt[] = [];

  /** Line of a node, or of words within it. */
  const lineOf = (node: Nodes, words = '') => {
    const start = node.position?.start.offset ?? 0;
    const found = source.slice(start, node.position?.end.offset).indexOf(words);
    return source.slice(0, start + Math.max(0, found)).split('\n').length + linesBefore;
  };
  const refuse = (node: Nodes, message: string, words?: string) =>
    mistakes.push({ file, line: lineOf(node, words), message });
  const sentence = (node: Nodes, children: readonly PhrasingContent[]): Text => {
    const parts = textOf(children);
    for (const { mistake, words } of parts.filter(isRefused)) refuse(node, mistake, words);
    const text = accepted(parts);
    links.push(...linksOf(text).map((href) => ({ href, line: lineOf(node, href) })));
    return text;
  };
  const itemsOf = (list: Extract<RootContent, { type: 'list' }>) =>
    list.children.flatMap(({ children: [first, ...more] }) => {
      const other = first?.type === 'paragraph' ? more[0] : first;
      if (other) refuse(other, 'an item of a list is one paragraph');
      return first?.type === 'paragraph' ? [sentence(first, first.children)] : [];
    });

  for (const node of fromMarkdown(source).children) {
    const blocks: Block[] | undefined = clauses.at(-1)?.blocks;
    if (node.type === 'heading') {
      if (node.depth !== 2) refuse(node, 'a heading begins with "## "');
      const words = source.slice(node.children[0]?.position?.start.offset, node.position?.end.offset);
      const [, title = words, id = slug(words)] = ANCHOR.exec(words) ?? [];
      clauses.push({ id, title, blocks: [] });
      headings.push(node);
    } else if (node.type === 'paragraph') {
      if (isLegal && !blocks) refuse(node, 'a text must stand below a line that begins with "## "');
      (blocks ?? paragraphs).push(sentence(node, node.children));
    } else if (node.type === 'list' && !node.ordered && blocks) {
      blocks.push({ list: itemsOf(node) });
    } else if (node.type === 'html') {
      refuse(node, `${node.value.split('\n')[0]} is HTML; write the words, or Markdown such as **bold**`);
    } else {
      refuse(node, 'only paragraphs, lists with "- " and headings with "## " can stand here, a list below a heading');
    }
  }
  for (const [index, { title, blocks }] of clauses.entries())
    if (blocks.length === 0 && headings[index]) refuse(headings[index], `"${title}" has no text below it`);
  const missing = (what: string) => mistakes.push({ file, line: linesBefore + 1, message: what });
  if (!isLegal && paragraphs.length === 0) missing('a text about the work is missing here');
  if (clauses.length === 0) missing('a part that begins with a line "## ..." is missing below');
  return { data: { paragraphs, clauses }, mistakes, links };
}
