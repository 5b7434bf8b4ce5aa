import { Section } from '../ui/section.tsx';
import type { Stat, SectionOf } from 'virtual:content';

/** Two columns on a phone, one row on a wide screen; never three and one. */
function columnsOf(count: number, onPicture: boolean) {
  if (count % 4 === 0) return onPicture ? 'bar:grid-cols-4' : 'lg:grid-cols-4';
  return count === 3 ? 'lg:grid-cols-3' : '';
}

export interface StatListProps {
  readonly stats: readonly Stat[];
  readonly onPicture?: boolean;
  readonly className?: string;
}

/** Large figures above their labels. The label is first in the HTML, so that its row exists before the figure arrives. */
export function StatList({ stats, onPicture = false, className = '' }: StatListProps) {
  const list = onPicture
    ? '[--figure:var(--text-2xl)] md:max-w-1/2 print:max-w-none'
    : '[--figure:clamp(2.5rem,1.75rem+1.6vw,3.25rem)]';
  return (
    <dl className={`grid grid-cols-2 gap-cell ${list} ${columnsOf(stats.length, onPicture)} ${className}`.trim()}>
      {stats.map(({ value, label }) => (
        <div key={label} className="dash-above relative grid grid-rows-[minmax(var(--figure),auto)_1fr] gap-y-2 pt-4">
          <dt className="row-start-2">{label}</dt>
          <dd className="row-start-1 figure text-(length:--figure)">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export const Stats = ({ section }: { section: SectionOf<'stats'> }) => (
  <Section {...section} quiet layout="label">
    <StatList stats={section.stats} />
  </Section>
);
