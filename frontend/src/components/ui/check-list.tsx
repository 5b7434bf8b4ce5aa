import type { Text } from 'virtual:content';
import { RichText } from './rich-text.tsx';

export interface ListProps {
  readonly items: readonly Text[];
  readonly className?: string;
}

/** A list of short facts as one line of text. */
export const Names = ({ items, className = '' }: ListProps) => (
  <ul className={`text-sm ${className}`.trim()}>
    {items.map((item, index) => (
      <RichText as="li" key={index} className="mr-1 inline-block not-last:after:content-['\A0·']" text={item} />
    ))}
  </ul>
);

/** A list of short facts under a small heading. */
export const TitledList = ({ heading, items, className = '' }: ListProps & { readonly heading: string }) => (
  <div>
    <h4 className="mb-2">{heading}</h4>
    <Names items={items} className={className} />
  </div>
);

/** A list of short facts, one below the other. */
export const Lines = ({ items, className = '' }: ListProps) => (
  <ul className={className}>
    {items.map((item, index) => (
      <RichText as="li" key={index} text={item} />
    ))}
  </ul>
);
