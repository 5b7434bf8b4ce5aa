import { Fragment, type ReactNode } from 'react';
import type { PhrasingContent } from 'mdast';
import { parseInline } from '../../content/markdown.ts';
import type { Text } from '../../content/schema.ts';

/** What a line must not end within: a range such as "1-2", and "e-mail". */
const UNBROKEN = /(\d+-\d+|e-mail)/;

const withoutBreaks = (text: string) =>
  text.split(UNBROKEN).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={index} className="whitespace-nowrap">
        {part}
      </span>
    ),
  );

const elements = (nodes: readonly PhrasingContent[]) =>
  nodes.map((node, index) => <Fragment key={index}>{element(node)}</Fragment>);

function element(node: PhrasingContent): ReactNode {
  switch (node.type) {
    case 'link':
      return <a href={node.url}>{elements(node.children)}</a>;
    case 'strong':
      return <strong>{elements(node.children)}</strong>;
    case 'emphasis':
      return <em>{elements(node.children)}</em>;
    case 'inlineCode':
      return <code>{node.value}</code>;
    default:
      return 'value' in node ? withoutBreaks(node.value) : ' ';
  }
}

/** Copy whose inline Markdown is made real: links, bold, emphasis. */
export const RichText = ({ children }: { children: Text }) => elements(parseInline(children));
