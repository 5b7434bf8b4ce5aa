import type { Text } from 'virtual:content';
import { RichText } from './rich-text.tsx';

export interface CheckListProps {
  readonly items: readonly Text[];
  readonly className?: string;
}

/** A list of short facts under a small heading. */
export const TitledList = ({ heading, items, className = '' }: CheckListProps & { readonly heading: string }) => (
  <div>
    <h4 className="mb-2">{heading}</h4>
    <CheckList items={items} className={`text-sm ${className}`.trim()} />
  </div>
);

/** A list of short facts. */
export const CheckList = ({ items, className = '' }: CheckListProps) => (
  <ul className={`check-list ${className}`.trim()}>
    {items.map((item, index) => (
      <RichText as="li" key={index} text={item} />
    ))}
  </ul>
);
