import { Fragment, type ElementType } from 'react';
import type { Text } from 'virtual:content';

/** Ranges with a unit that must not be broken, such as "1-2 weeks", and references. */
const UNBROKEN = /(\d+-\d+(?: \w+)?|[A-Z]{2}(?:-[A-Z\d]{4})+)/;

/** Keeps ranges and references on one line, which break after their hyphen. */
export const withoutBreaks = (words: string) =>
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
  /** Element that contains only the text. */
  readonly as?: 'p' | 'li' | 'td' | 'th' | 'dd' | 'h3';
  readonly className?: string | undefined;
  readonly scope?: 'col';
}

/** Text with its links and emphasis. */
export function RichText({ text, as, ...attributes }: RichTextProps) {
  const Element: ElementType = as ?? Fragment;
  const parts = text.map((part, index) => {
    if (typeof part === 'string') return <Fragment key={index}>{withoutBreaks(part)}</Fragment>;
    const { tag: Tag, href, children } = part;
    if (Tag === 'br') return <br key={index} />;
    return (
      <Tag key={index} {...(href === undefined ? {} : { href })}>
        <RichText text={children} />
      </Tag>
    );
  });
  return <Element {...attributes}>{parts}</Element>;
}
