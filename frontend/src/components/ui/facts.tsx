import type { Fact } from 'virtual:content';
import { columns } from './columns.ts';
import { withoutBreaks } from './rich-text.tsx';

export interface FactsProps {
  readonly facts: readonly Fact[];
  readonly className?: string;
}

/** A few facts, each next to its name. */
export const Facts = ({ facts, className = '' }: FactsProps) => (
  <dl className={`grid content-start ${className}`.trim()}>
    {facts.map(({ label, value }) => (
      <div key={label} className="grid grid-cols-[minmax(7rem,1fr)_2fr] gap-4 border-t border-line py-3">
        <dt>{label}</dt>
        <dd className="font-semibold">{withoutBreaks(value)}</dd>
      </div>
    ))}
  </dl>
);

/** A few facts that read at a glance, set large in a row, on a phone one below the other. What leads on does so from all of its place. */
export const FactRow = ({ facts }: FactsProps) => (
  <dl className={`grid gap-px overflow-hidden rounded-md border border-hue-line bg-hue-line ${columns(facts.length)}`}>
    {facts.map(({ label, before, value, note, href }) => (
      <div
        key={label}
        className={`relative bg-surface px-panel py-3 max-sm:grid max-sm:grid-cols-2 max-sm:items-center max-sm:gap-x-4 sm:py-panel ${href ? 'eased hover:bg-hue-wash' : ''}`.trim()}
      >
        <dt>
          {href ? (
            <a
              className="inline-block min-h-6 underline decoration-1 after:absolute after:inset-0 hover:decoration-2"
              href={href}
            >
              {label}
            </a>
          ) : (
            label
          )}
        </dt>
        <dd className="text-sm text-muted">
          {before && `${before} `}
          <b className="inline-block py-1 figure text-xl text-ink sm:text-2xl">{value}</b>
          {note && <span className="block">{` ${note}`}</span>}
        </dd>
      </div>
    ))}
  </dl>
);

/** Two columns on a phone, one row on a wide screen; never three and one. */
function columnsOf(count: number, onPicture: boolean) {
  if (count % 4 === 0) return onPicture ? 'bar:grid-cols-4' : 'lg:grid-cols-4';
  return count === 3 ? 'lg:grid-cols-3' : '';
}

export interface StatListProps {
  readonly stats: readonly Fact[];
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
