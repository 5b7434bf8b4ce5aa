import { fromMarkdown } from 'mdast-util-from-markdown';
import type { PhrasingContent } from 'mdast';

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

/** The parts of a sentence; one part of plain text where it has no markup. */
export function parseInline(text: string): readonly PhrasingContent[] {
  if (!HAS_MARKUP.test(text)) return [{ type: 'text', value: text }];
  const [paragraph] = fromMarkdown(text, WITHIN_A_SENTENCE).children;
  return paragraph?.type === 'paragraph' ? paragraph.children : [];
}

/** All parts of a sentence, those inside links and bold words included. */
export const partsOf = (nodes: readonly PhrasingContent[]): readonly PhrasingContent[] =>
  nodes.flatMap((node) => [node, ...('children' in node ? partsOf(node.children) : [])]);

/** The words of a sentence without its markup. */
export const plainText = (text: string): string =>
  partsOf(parseInline(text))
    .map((node) => ('value' in node ? node.value : ''))
    .join('');
