import type { Fact } from 'virtual:content';
import { withoutBreaks } from './rich-text.tsx';

export interface FactsProps {
  readonly facts: readonly Fact[];
  readonly className?: string;
}

/** A few facts, each next to its name. */
export const Facts = ({ facts, className = '' }: FactsProps) => (
  <dl className={`grid content-start ${className}`.trim()}>
    {facts.map(({ label, value }) => (
      <div key={label} className="grid grid-cols-[minmax(7rem,1fr)_2fr] items-baseline gap-4 border-t border-line py-3">
        <dt>{label}</dt>
        <dd className="font-display text-lg leading-tight font-bold sm:text-xl">{withoutBreaks(value)}</dd>
      </div>
    ))}
  </dl>
);

/** A few facts that read at a glance, large and one below the other. One that leads on does so from all of its row. */
export const FactRow = ({ facts, className = '' }: FactsProps) => (
  <dl className={`self-start border-b border-line ${className}`.trim()}>
    {facts.map(({ label, before, value, note, href }) => (
      <div
        key={label}
        className="relative grid grid-cols-[minmax(6.5rem,1fr)_auto] items-baseline gap-x-4 border-t border-line py-4 hover:bg-hue-wash"
      >
        <dt className="font-display text-lg leading-tight font-bold text-ink">
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
        <dd className="text-right text-muted">
          {before && `${before} `}
          <b className="inline-block figure text-xl text-ink sm:text-2xl">{withoutBreaks(value)}</b>
          {note && <span className="block">{withoutBreaks(` ${note}`)}</span>}
        </dd>
      </div>
    ))}
  </dl>
);

/** One row on a wide screen. On a phone it is two columns; three figures are always a row. */
function columnsOf(count: number, onPicture: boolean, half: boolean) {
  if (count % 4 === 0 && !half) return onPicture ? 'grid-cols-2 bar:grid-cols-4' : 'grid-cols-2 lg:grid-cols-4';
  return count === 3 ? 'grid-cols-3' : 'grid-cols-2';
}

export interface StatListProps {
  readonly stats: readonly Fact[];
  readonly onPicture?: boolean;
  readonly half?: boolean;
  readonly className?: string;
}

/** Large figures above their labels. The label is first in the HTML, so that its row exists before the figure arrives. */
export function StatList({ stats, onPicture = false, half = false, className = '' }: StatListProps) {
  const list = onPicture
    ? '[--figure:var(--text-2xl)] md:max-w-1/2 print:max-w-none'
    : '[--figure:clamp(2.5rem,1.75rem+1.6vw,3.25rem)]';
  return (
    <dl
      className={`grid gap-cell print:grid-cols-4 ${list} ${columnsOf(stats.length, onPicture, half)} ${className}`.trim()}
    >
      {stats.map(({ value, label }) => (
        <div key={label} className="grid grid-rows-[minmax(var(--figure),auto)_1fr] gap-y-2 border-t border-edge pt-3">
          <dt className="row-start-2 max-lg:text-sm">{withoutBreaks(label)}</dt>
          <dd className="row-start-1 figure text-(length:--figure)">{withoutBreaks(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
