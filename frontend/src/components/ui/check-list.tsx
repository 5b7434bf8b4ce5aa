import type { Text } from 'virtual:content';
import { RichText } from './rich-text.tsx';

export interface CheckListProps {
  readonly items: readonly Text[];
  readonly className?: string;
}

/** A list of short facts. */
export const CheckList = ({ items, className = '' }: CheckListProps) => (
  <ul className={`check-list ${className}`.trim()}>
    {items.map((item, index) => (
      <li key={index}>
        <RichText>{item}</RichText>
      </li>
    ))}
  </ul>
);
