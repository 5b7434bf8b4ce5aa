import { fromMarkdown } from 'mdast-util-from-markdown';

type Content = ReturnType<typeof fromMarkdown>['children'][number];
/** Node of a parsed text, of any type or of one. */
export type MarkdownNode<Type = Content['type']> = Extract<Content, { type: Type }>;

/** Inline text of a page: words, links and emphasis. */
export type Text = readonly Inline[];
export type Inline = string | InlineElement;
export interface InlineElement {
  readonly tag: 'a' | 'strong' | 'em' | 'code' | 'br';
  readonly href?: string;
  readonly children: Text;
}

/** Markup that a sentence cannot have. It is reported, and never published. */
export interface Refused {
  readonly mistake: string;
  /** The words in question, by which their line is found. */
  readonly words?: string;
}

/** Text that looks like markup, which visitors would see, with the end of a sentence about it. */
type Mark = readonly [pattern: RegExp, advice: string];

const TAGS = 'a|b|br|div|em|h[1-6]|hr|i|img|li|ol|p|pre|script|span|strong|style|su[bp]|table|t[dhr]|u|ul';

const MARKS: readonly Mark[] = [
  [RegExp(String.raw`<\/?(?:${TAGS})\b[^<>]*>|<!--|&(?:[a-z]{2,}|#x?[\da-f]+);`, 'i'), 'is HTML: write the words'],
  [
    /\*\*|~~|`[^`]+`|\]\s?\(|\]\[[\w ]*\]|\[\^|^\[[^\]]+\]:\s|^\[[ x]?\]\s|(?:^|\s)#\s(?!\d)|#{2}|^\s*\|.*\|/im,
    'is Markdown that does not work here, so visitors would see it',
  ],
  [
    /(?<![\w*\p{Sc}])[*_][^\s*_][^*_\n]*[*_](?!\w)|^[->] (?!\p{Sc}?\d)|^1[.)] .* 2[.)] /u,
    'is Markdown, which works in sentences only',
  ],
  [/[•▪●■◦‣➢]\s/u, 'is a bullet of a word processor: write each point on a line that begins with "- "'],
];

/** Finds what visitors would see as a mark, and not as words. */
export function markIn(text: string): { readonly mistake: string; readonly words: string } | undefined {
  for (const [pattern, advice] of MARKS) {
    const words = pattern.exec(text)?.[0].trim();
    if (words !== undefined) return { mistake: `${words} ${advice}`, words };
  }
  return undefined;
}

/** Markdown without syntax that people write by accident: underlined headings and indented code. */
const ACCIDENTS = ['setextUnderline', 'codeIndented'];
export const SYNTAX = { extensions: [{ disable: { null: ACCIDENTS } }] };
const WITHIN_A_SENTENCE = { extensions: [{ disable: { null: [...ACCIDENTS, 'htmlFlow', 'definition'] } }] };

/** A line without any sign of markup, which most sentences are. */
const PLAIN = /^(?!\s|[-+]|\d+[.)]|.*(?:\/\/|www\.))[\p{L}\p{N}\p{Sc} ,.;:!?'"“”‘’()%–—/+-]*$/u;

/** An ordinal number at the beginning, such as "1. Mai". */
const ORDINAL = /^(\d+)(?=\. )/;

/** Parses a sentence; without markup it is one string. */
export function parseText(text: string): readonly (Inline | Refused)[] {
  if (PLAIN.test(text)) return [text];
  const source = text.replace(ORDINAL, '$1\\');
  return fromMarkdown(source, WITHIN_A_SENTENCE).children.flatMap((node, index) => {
    if (node.type === 'paragraph' && index === 0) return textOf(node.children, source);
    const words = source.slice(node.position?.start.offset, node.position?.end.offset).split('\n')[0]?.trim();
    const mistake = `"${words}" begins a ${node.type}, and a sentence stands alone: write it as an item of its own. For the sign itself, write a backslash before it`;
    return [{ mistake, words }];
  });
}

/** Converts Markdown nodes to inline text. */
export const textOf = (nodes: readonly MarkdownNode[], source: string): readonly (Inline | Refused)[] =>
  nodes.flatMap((node) => inline(node, source));

function inline(node: MarkdownNode, source: string): readonly (Inline | Refused)[] {
  const element = (tag: InlineElement['tag'], nodes: readonly MarkdownNode[], href?: string) => {
    const children = textOf(nodes, source);
    // A refused part replaces the element around it, so that no nested search is needed.
    const refused = children.filter(isRefused);
    return refused.length > 0
      ? refused
      : [{ tag, ...(href === undefined ? {} : { href }), children: children as Text }];
  };
  switch (node.type) {
    case 'text':
      return strayMark(node, source) ?? [node.value.replaceAll('\n', ' ')];
    case 'break':
      return [{ tag: 'br', children: [] }];
    case 'strong':
      return element('strong', node.children);
    case 'emphasis':
      return element('em', node.children);
    case 'inlineCode':
      return [{ tag: 'code', children: [node.value] }];
    case 'link': {
      const link = element('a', node.children, node.url);
      return plainWords(link).trim() || link.some(isRefused) ? link : [{ mistake: 'the link has no words' }];
    }
    case 'html':
      return [markIn(node.value) ?? node.value];
    default:
      return [{ mistake: `"${node.type}" cannot stand in a sentence; links, **bold** and *emphasis* can` }];
  }
}

/** Finds a mark that Markdown leaves in the text. An escaped one, such as `\\*`, is meant. */
function strayMark({ position }: MarkdownNode<'text'>, source: string) {
  const written = source.slice(position?.start.offset, position?.end.offset);
  const found = markIn(written.replaceAll(/\\[!-/:-@[-`{-~]/g, '\u00B7').replaceAll(/&(?:\w+|#\w+);/g, '&'));
  return found && [found];
}

export const isRefused = (part: Inline | Refused): part is Refused => typeof part === 'object' && 'mistake' in part;

/** Returns a text without its refused parts. */
export const withoutRefused = (parts: readonly (Inline | Refused)[]): Text =>
  parts.filter((part): part is Inline => !isRefused(part));

/** Returns the words of a text without markup. */
export function plainWords(parts: readonly (Inline | Refused)[]): string {
  const wordsOf = (part: Text[number]) => {
    if (typeof part === 'string') return part;
    return part.tag === 'br' ? ' ' : plainWords(part.children);
  };
  return withoutRefused(parts).map(wordsOf).join('');
}

/** Returns the link targets in a text. */
export const linksOf = (text: Text): readonly string[] =>
  text.flatMap((part) =>
    typeof part === 'string' ? [] : [...(part.href === undefined ? [] : [part.href]), ...linksOf(part.children)],
  );
