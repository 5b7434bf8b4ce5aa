import { fromMarkdown } from 'mdast-util-from-markdown';
import type { PhrasingContent } from 'mdast';

/** A sentence or more as a page shows it: its words, and links and stressed words among them. */
export type Text = readonly Inline[];
export type Inline = string | InlineElement;
export interface InlineElement {
  readonly tag: 'a' | 'strong' | 'em' | 'code';
  readonly href?: string;
  readonly children: Text;
}

/** Stands where a sentence has what it cannot have; no such text becomes part of a page. */
export interface Refused {
  readonly mistake: string;
  /** Where in the sentence. */
  readonly words?: string;
}

/** Markdown within a sentence: links, bold, emphasis and code. What would begin a block stays text, for example "1. ". */
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

/** A sentence out of its Markdown; one string where it has no markup. */
export function parseText(source: string): readonly (Inline | Refused)[] {
  if (!HAS_MARKUP.test(source)) return [source];
  const [paragraph] = fromMarkdown(source, WITHIN_A_SENTENCE).children;
  return paragraph?.type === 'paragraph' ? textOf(paragraph.children) : [];
}

/** What Markdown's own nodes say. */
export const textOf = (nodes: readonly PhrasingContent[]): readonly (Inline | Refused)[] => nodes.flatMap(inline);

function inline(node: PhrasingContent): readonly (Inline | Refused)[] {
  const element = (tag: InlineElement['tag'], nodes: readonly PhrasingContent[], href?: string) => {
    const children = textOf(nodes);
    // What is refused stands beside what it was in: one look finds it.
    const refused = children.filter(isRefused);
    return refused.length > 0
      ? refused
      : [{ tag, ...(href === undefined ? {} : { href }), children: children as Text }];
  };
  switch (node.type) {
    case 'text':
      return unclosed(node.value) ?? [node.value.replaceAll('\n', ' ')];
    case 'break':
      return [' '];
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

/** Markdown leaves marks that it cannot read as they are, and a visitor would read them. */
function unclosed(words: string): readonly Refused[] | undefined {
  if (words.includes('**'))
    return [{ mistake: '** has no partner: bold words are **bold**, without a space inside the marks', words: '**' }];
  const link = /\]\s?\((?:[/#]|https?:|mailto:|tel:)[^)]*\)?/.exec(words)?.[0];
  if (link) return [{ mistake: `${link} is no link: write [words](/address), without a space between`, words: link }];
  return undefined;
}

export const isRefused = (part: Inline | Refused): part is Refused => typeof part === 'object' && 'mistake' in part;

/** What is left of a text when what is refused is taken out. */
export const accepted = (parts: readonly (Inline | Refused)[]): Text =>
  parts.filter((part): part is Inline => !isRefused(part));

const plainWords = (parts: readonly (Inline | Refused)[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : isRefused(part) ? '' : plainWords(part.children))).join('');

/** The addresses that a sentence leads to. */
export const linksOf = (text: Text): readonly string[] =>
  text.flatMap((part) =>
    typeof part === 'string' ? [] : [...(part.href === undefined ? [] : [part.href]), ...linksOf(part.children)],
  );
