import type { Text } from 'virtual:content';
import { RichText } from './rich-text.tsx';

export interface ListProps {
  readonly items: readonly Text[];
  readonly className?: string;
}

/** A list of short facts, one below the other. */
export const Lines = ({ items, className = '' }: ListProps) => (
  <ul className={`leading-tight ${className}`.trim()}>
    {items.map((item, index) => (
      <RichText as="li" key={index} className="break-inside-avoid pb-1" text={item} />
    ))}
  </ul>
);
