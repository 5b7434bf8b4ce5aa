import type { Text } from 'virtual:content';
import { RichText } from './rich-text.tsx';

export interface CheckListProps {
  readonly items: readonly Text[];
  readonly className?: string;
}

/** A list of short facts, one below the other; on a phone as one line of text. */
export const Names = ({ items, className = '' }: CheckListProps) => (
  <ul className={`text-sm ${className}`.trim()}>
    {items.map((item, index) => (
      <RichText
        as="li"
        key={index}
        className="max-sm:mr-1 max-sm:inline max-sm:not-last:after:content-['\A0·']"
        text={item}
      />
    ))}
  </ul>
);

/** A list of short facts under a small heading. */
export const TitledList = ({ heading, items, className = '' }: CheckListProps & { readonly heading: string }) => (
  <div>
    <h4 className="mb-2">{heading}</h4>
    <Names items={items} className={className} />
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
