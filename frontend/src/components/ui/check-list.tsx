import type { Text } from 'virtual:content';
import { RichText } from './rich-text.tsx';

export interface CheckListProps {
  readonly items: readonly Text[];
  readonly className?: string;
}

/** Facts as lines of text, without dots. The second line of a long one is indented. */
export const LINES =
  'content-start gap-0.5 text-[0.9375rem] leading-[1.45] text-muted [&>li]:pl-3 [&>li]:-indent-3 [&>li]:before:hidden';

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
