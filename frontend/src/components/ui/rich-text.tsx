import { Fragment } from 'react';
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

/** Copy with its links and stressed words. */
export const RichText = ({ children }: { children: Text }) =>
  children.map((part, index) => {
    if (typeof part === 'string') return <Fragment key={index}>{withoutBreaks(part)}</Fragment>;
    const { tag: Tag, href, children: inner } = part;
    return (
      <Tag key={index} {...(href === undefined ? {} : { href })}>
        <RichText>{inner}</RichText>
      </Tag>
    );
  });

/** The words of a text alone. */
export const plainText = (text: Text): string =>
  text.map((part) => (typeof part === 'string' ? part : plainText(part.children))).join('');
