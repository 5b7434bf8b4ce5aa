import { ofCount } from '../ui/of-count.ts';
import { Section } from '../ui/section.tsx';
import type { Stat, SectionOf } from '../../content/schema.ts';

/** Figures, set large, each with what it counts. */
export const StatList = ({ stats }: { stats: readonly Stat[] }) => (
  <dl className={`stats ${ofCount(stats.length)}`}>
    {stats.map(({ value, label }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

export const Stats = ({ section }: { section: SectionOf<'stats'> }) => (
  <Section {...section}>
    <StatList stats={section.stats} />
  </Section>
);
