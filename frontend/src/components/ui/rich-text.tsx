import { Fragment, type ElementType } from 'react';
import type { Text } from 'virtual:content';

/** What a line must not end within: a range such as "1-2", and "e-mail". */
const UNBROKEN = /(\d+-\d+|e-mail)/;

const withoutBreaks = (words: string) =>
  words.split(UNBROKEN).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={index} className="whitespace-nowrap">
        {part}
      </span>
    ),
  );

export interface RichTextProps {
  readonly text: Text;
  /** The element that holds the text alone. */
  readonly as?: 'p' | 'li' | 'td' | 'th' | 'dd' | 'h3';
  readonly className?: string | undefined;
  readonly scope?: 'col';
}

/** Copy with its links and stressed words. */
export function RichText({ text, as, ...attributes }: RichTextProps) {
  const Element: ElementType = as ?? Fragment;
  const parts = text.map((part, index) => {
    if (typeof part === 'string') return <Fragment key={index}>{withoutBreaks(part)}</Fragment>;
    const { tag: Tag, href, children } = part;
    return (
      <Tag key={index} {...(href === undefined ? {} : { href })}>
        <RichText text={children} />
      </Tag>
    );
  });
  return <Element {...attributes}>{parts}</Element>;
}

/** The words of a text alone. */
export const plainText = (text: Text): string =>
  text.map((part) => (typeof part === 'string' ? part : plainText(part.children))).join('');
