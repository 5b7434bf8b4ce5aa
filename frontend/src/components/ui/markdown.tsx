import type { Block } from 'virtual:content';
import { RichText } from './rich-text.tsx';

/** Numbers of a list by its depth, as contracts have them: 1., then (a), then (i). */
const NUMBERS = ['list-decimal pl-8', 'list-[clause-letter] pl-8', 'list-[clause-roman] pl-8'];

export interface MarkdownProps {
  readonly blocks: readonly Block[];
  /** Element of the sub-headings. */
  readonly heading: 'h3' | 'h4' | 'h5';
  /** Classes of the lists without numbers. */
  readonly bullets?: string;
  /** Number of numbered lists around these blocks. */
  readonly depth?: number;
  readonly isInItem?: boolean;
}

/** The blocks of a Markdown text. */
export function Markdown({ blocks, ...props }: MarkdownProps) {
  const { heading: Heading, bullets = 'grid list-disc gap-[0.4rem] pl-5', depth = 0, isInItem } = props;
  return blocks.map((block, index) => {
    if ('heading' in block)
      return (
        <Heading key={index} id={block.id} className="mt-2 text-lg">
          {block.heading}
        </Heading>
      );
    if ('text' in block)
      return <RichText as="p" key={index} className={isInItem ? 'text-inherit' : undefined} text={block.text} />;
    const { list, ordered, start } = block;
    const List = ordered ? 'ol' : 'ul';
    const inner = { ...props, depth: depth + (ordered ? 1 : 0), isInItem: true };
    return (
      <List
        key={index}
        className={ordered ? `grid gap-[0.4rem] ${NUMBERS[Math.min(depth, 2)]}` : bullets}
        {...(ordered && start !== 1 ? { start } : {})}
      >
        {list.map(([first, ...others], place) => (
          <li key={place}>
            {first && 'text' in first ? (
              <RichText text={first.text} />
            ) : (
              first && <Markdown {...inner} blocks={[first]} />
            )}
            {others.length > 0 && (
              <div className="mt-[0.4rem] grid gap-[0.4rem]">
                <Markdown {...inner} blocks={others} />
              </div>
            )}
          </li>
        ))}
      </List>
    );
  });
}
