import { fromMarkdown } from 'mdast-util-from-markdown';
import type { PhrasingContent } from 'mdast';

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

/** Markdown within a sentence: links, bold, emphasis and code. Block syntax such as "1. " stays text. */
const WITHIN_A_SENTENCE = {
  extensions: [
    {
      disable: {
        null: [
          'blockQuote',
          'codeFenced',
          'codeIndented',
          'definition',
          'headingAtx',
          'htmlFlow',
          'list',
          'setextUnderline',
          'thematicBreak',
        ],
      },
    },
  ],
};

const HAS_MARKUP = /[[*_`\\&<]/;

/** Parses a sentence; without markup it is one string. */
export function parseText(source: string): readonly (Inline | Refused)[] {
  if (!HAS_MARKUP.test(source)) return [source];
  // An empty line begins another paragraph, whose words follow in the same text.
  return fromMarkdown(source, WITHIN_A_SENTENCE).children.flatMap((node, index) =>
    node.type === 'paragraph' ? [...(index > 0 ? [' '] : []), ...textOf(node.children)] : [],
  );
}

/** Converts Markdown nodes to inline text. */
export const textOf = (nodes: readonly PhrasingContent[]): readonly (Inline | Refused)[] => nodes.flatMap(inline);

function inline(node: PhrasingContent): readonly (Inline | Refused)[] {
  const element = (tag: InlineElement['tag'], nodes: readonly PhrasingContent[], href?: string) => {
    const children = textOf(nodes);
    // A refused part replaces the element around it, so that no nested search is needed.
    const refused = children.filter(isRefused);
    return refused.length > 0
      ? refused
      : [{ tag, ...(href === undefined ? {} : { href }), children: children as Text }];
  };
  switch (node.type) {
    case 'text':
      return brokenMarkup(node.value) ?? [node.value.replaceAll('\n', ' ')];
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
      if (node.value.startsWith('</')) return [];
      return [{ mistake: `${node.value} is HTML; write the words, or Markdown such as **bold**`, words: node.value }];
    default:
      return [{ mistake: `"${node.type}" cannot stand in a sentence; links, **bold** and *emphasis* can` }];
  }
}

/** Broken markup that Markdown leaves in the text, where visitors would see it. */
const BROKEN_MARKUP: readonly (readonly [RegExp, (words: string) => string])[] = [
  [/\*\*/, () => '** has no partner: bold words are **bold**, without a space inside the marks'],
  [
    /(?<![^\s(])\*(?=[^\s*])/,
    () => '* has no partner: stressed words are *stressed*, without a space inside the marks',
  ],
  [
    /\](?:\s?\((?:[/#]|https?:|mailto:|tel:)[^)]*\)?)|\[[^\]]*\((?:[/#]|https?:|mailto:|tel:)[^)]*\)?/,
    (words) => `${words} is no link: write [words](/address), without a space between`,
  ],
  [
    /\[[^\]]+\]\s?\[[^\]]*\]|^\[[^\]]+\]:\s\S+/m,
    (words) => `${words} is a link whose address is in another place: write [words](/address)`,
  ],
];

function brokenMarkup(text: string): readonly Refused[] | undefined {
  for (const [pattern, explain] of BROKEN_MARKUP) {
    const words = pattern.exec(text)?.[0];
    if (words !== undefined) return [{ mistake: explain(words), words }];
  }
  return undefined;
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
