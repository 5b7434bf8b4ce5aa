import type { Points as PointsContent } from 'virtual:content';
import { RichText } from './rich-text.tsx';

export interface PointsProps {
  readonly points: PointsContent;
  /** Position in the section's grid. */
  readonly className: string;
  /** Columns of the list. */
  readonly columns: string;
}

/** A list of points with a heading of its own, below or next to a section's main content. */
export const Points = ({ points, className, columns }: PointsProps) => (
  <section className={className}>
    <h2 className="mb-3 text-xl">{points.heading}</h2>
    <PointList items={points.items} columns={columns} />
  </section>
);

export const PointList = ({ items, columns }: Pick<PointsContent, 'items'> & Pick<PointsProps, 'columns'>) => (
  <ul className={`grid gap-x-cell ${columns}`}>
    {items.map(({ title, description }) => (
      <li key={title} className="grid content-start gap-2 border-t border-hue/25 py-3">
        <h3 className="text-lg">{title}</h3>
        <RichText as="p" text={description} />
      </li>
    ))}
  </ul>
);
