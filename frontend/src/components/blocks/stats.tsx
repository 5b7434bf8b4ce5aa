import { Section } from '../ui/section.tsx';
import type { Stat, SectionOf } from 'virtual:content';

/** Two beside each other on a phone; on a wide screen all in a row, never three and one. */
function columnsOf(count: number, onPicture: boolean) {
  if (count % 4 === 0) return onPicture ? 'bar:grid-cols-4' : 'lg:grid-cols-4';
  return count === 3 ? 'lg:grid-cols-3' : '';
}

export interface StatListProps {
  readonly stats: readonly Stat[];
  readonly onPicture?: boolean;
  readonly className?: string;
}

/** Figures, set large, each above what it counts, though that comes first: its row is there before it is. */
export function StatList({ stats, onPicture = false, className = '' }: StatListProps) {
  const list = onPicture
    ? '[--figure:var(--text-2xl)] md:max-w-1/2 print:max-w-none'
    : '[--figure:clamp(2.25rem,1.6rem+2.6vw,3.75rem)]';
  return (
    <dl className={`grid grid-cols-2 gap-cell ${list} ${columnsOf(stats.length, onPicture)} ${className}`.trim()}>
      {stats.map(({ value, label }) => (
        <div
          key={label}
          className={`grid grid-rows-[minmax(var(--figure),auto)_1fr] gap-y-2 border-l-2 pl-4 ${onPicture ? 'border-edge' : 'border-hue'}`}
        >
          <dt className="row-start-2">{label}</dt>
          <dd className="row-start-1 figure text-(length:--figure)">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export const Stats = ({ section }: { section: SectionOf<'stats'> }) => (
  <Section {...section} quiet>
    <StatList stats={section.stats} />
  </Section>
);
