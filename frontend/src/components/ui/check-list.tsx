import type { Text } from 'virtual:content';
import { RichText } from './rich-text.tsx';

export interface ListProps {
  readonly items: readonly Text[];
  readonly className?: string;
}

/** A list of short facts as running text. A dot before each, of which those at the beginning of a line are clipped. */
export const Names = ({ items, className = '' }: ListProps) => (
  <ul className={`-ml-4 text-sm [clip-path:inset(0_0_0_1rem)] ${className}`.trim()}>
    {items.map((item, index) => (
      <RichText
        as="li"
        key={index}
        className="relative inline-block pl-4 before:absolute before:left-1.5 before:content-['·']"
        text={item}
      />
    ))}
  </ul>
);

/** A list of short facts, one below the other. */
export const Lines = ({ items, className = '' }: ListProps) => (
  <ul className={className}>
    {items.map((item, index) => (
      <RichText as="li" key={index} text={item} />
    ))}
  </ul>
);
