import { columns } from '../ui/columns.ts';
import { Drawing } from '../ui/drawing.tsx';
import type { FactsProps } from '../ui/facts.tsx';
import { RichText, withoutBreaks } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import { Icon } from '../ui/icon.tsx';
import { PointList, Points, type PointsProps } from '../ui/points.tsx';
import { Specimen } from '../ui/specimen.tsx';
import type { SectionOf } from 'virtual:content';

/** Layouts with and without something below the heading. A drawing has its own. */
function layoutOf({ statement, points, specimen, drawing, half }: SectionOf<'prose'>) {
  if (drawing) return undefined;
  if (statement || half) return 'above';
  return points || specimen ? 'beside, filled' : 'beside';
}

/** Text across the page. */
const ACROSS = 'max-w-5/6 max-lg:max-w-none';

/**
 * Paragraphs next to their heading, or in two columns below a statement across the page or above a drawing, whose parts the
 * facts name.
 */
export function Prose({ section }: { section: SectionOf<'prose'> }) {
  const { statement, large, paragraphs, drawing, facts, points, specimen, half } = section;
  const layout = layoutOf(section);
  const place = specimen ? 'lg:col-start-1' : 'lg:col-start-2 lg:row-span-2 lg:row-start-1';
  const isAcross = (statement && !half) || drawing;
  return (
    <Section {...section} {...(layout && { layout })}>
      <div className={layout === 'beside, filled' ? place : 'col-span-full'}>
        {statement && (
          <RichText
            as="p"
            className={`mb-6 font-display leading-tight font-semibold tracking-tight text-balance ${half ? '' : ACROSS} ${large ? 'text-2xl' : 'text-[1.5rem] md:text-[2.125rem]'}`}
            text={statement}
          />
        )}
        <div
          className={
            isAcross
              ? 'grid gap-x-cell gap-y-4 lg:grid-cols-2'
              : `grid max-w-measure gap-4 ${specimen ? 'text-lg' : ''}`.trim()
          }
        >
          {paragraphs.map((paragraph, index) => (
            <RichText as="p" key={index} text={paragraph} />
          ))}
        </div>
      </div>
      {drawing && <Drawing {...drawing} />}
      {facts && <Legend facts={facts} />}
      {specimen && <Specimen specimen={specimen} className="self-center lg:col-start-2 lg:row-span-3 lg:row-start-1" />}
      {points && <MorePoints points={points} />}
    </Section>
  );
}

/** Names of a drawing's parts, in a row. */
const Legend = ({ facts }: FactsProps) => (
  <dl className="col-span-full grid grid-cols-2 gap-cell lg:auto-fill-12">
    {facts.map(({ label, value }) => (
      <div key={label} className="border-t border-hue pt-3">
        <dt className="font-display text-lg leading-tight font-bold text-ink">{label}</dt>
        <dd>{withoutBreaks(value)}</dd>
      </div>
    ))}
  </dl>
);

/** Largest number of points that are shown without a click. */
const OPEN_POINTS = 4;

/** Points below the paragraphs. A long list opens without script (`<details>`). */
function MorePoints({ points }: Pick<PointsProps, 'points'>) {
  const layout = columns(points.items.length);
  if (points.items.length <= OPEN_POINTS) return <Points points={points} className="col-span-full" columns={layout} />;
  return (
    <section className="col-span-full">
      <details className="border-y border-line">
        <summary className="flex items-center gap-3 py-4 hover:text-signal">
          <h2 className="text-xl">{points.heading}</h2>
          <Icon name="chevron-down" className="eased" />
        </summary>
        <PointList items={points.items} columns={`pt-2 ${layout}`} />
      </details>
    </section>
  );
}
