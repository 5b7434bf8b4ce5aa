import { Section } from '../ui/section.tsx';
import type { Stat, SectionOf } from '../../content/schema.ts';

const FIGURE_ABOVE = 'grid-rows-[minmax(var(--figure),auto)_1fr]';

/** Four stand two and two, or all in a row, never three and one; three stand in a row, or each figure beside what it counts. */
function shapeOf(count: number, onPicture: boolean) {
  if (count % 4 === 0) {
    const columns = onPicture ? 'grid-cols-[1fr_1fr] bar:grid-cols-4' : 'grid-cols-[1fr_1fr] md:grid-cols-4';
    return { columns, item: FIGURE_ABOVE, label: 'row-start-2' };
  }
  if (count === 3) {
    return {
      columns: 'max-lg:gap-3 lg:grid-cols-3',
      item: 'max-lg:grid-cols-[calc(2.4*var(--figure))_1fr] max-lg:items-baseline lg:grid-rows-[minmax(var(--figure),auto)_1fr]',
      label: 'max-lg:col-start-2 max-lg:row-start-1 lg:row-start-2',
    };
  }
  const columns = 'grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))]';
  return { columns, item: FIGURE_ABOVE, label: 'row-start-2' };
}

export interface StatListProps {
  readonly stats: readonly Stat[];
  readonly onPicture?: boolean;
  readonly className?: string;
}

/** Figures, set large, each above what it counts, though that comes first: its row is there before it is. */
export function StatList({ stats, onPicture = false, className = '' }: StatListProps) {
  const { columns, item, label: labelPlace } = shapeOf(stats.length, onPicture);
  const list = onPicture
    ? '[--figure:var(--text-2xl)] md:max-w-1/2 lg:max-w-[min(50%,42rem)] print:max-w-none'
    : '[--figure:clamp(2.25rem,1.6rem+2.6vw,3.75rem)]';
  return (
    <dl className={`grid gap-cell ${list} ${columns} ${className}`.trim()}>
      {stats.map(({ value, label }) => (
        <div
          key={label}
          className={`grid gap-y-[0.4rem] border-l-2 pl-[1.1rem] ${onPicture ? 'border-edge' : 'border-hue'} ${item}`}
        >
          <dt className={labelPlace}>{label}</dt>
          <dd className="row-start-1 figure text-(length:--figure)">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export const Stats = ({ section }: { section: SectionOf<'stats'> }) => (
  <Section {...section} dense>
    <StatList stats={section.stats} />
  </Section>
);
