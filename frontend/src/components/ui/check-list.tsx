import { RichText } from './rich-text.tsx';

export interface CheckListProps {
  readonly items: readonly string[];
  readonly className?: string;
}

/** A list of short facts. */
export const CheckList = ({ items, className = '' }: CheckListProps) => (
  <ul className={`check-list ${className}`.trim()}>
    {items.map((item) => (
      <li key={item}>
        <RichText>{item}</RichText>
      </li>
    ))}
  </ul>
);
