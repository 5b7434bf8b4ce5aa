import { columns } from './columns.ts';

interface Fact {
  readonly label: string;
  readonly value: string;
  readonly note?: string | undefined;
  readonly href?: string | undefined;
}

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
        <dd className="font-semibold">{value}</dd>
      </div>
    ))}
  </dl>
);

/** A few facts that read at a glance, set large in a row, on a phone one below the other. What leads on does so from all of its place. */
export const FactRow = ({ facts }: FactsProps) => (
  <dl className={`grid gap-px overflow-hidden rounded-md border border-hue-line bg-hue-line ${columns(facts.length)}`}>
    {facts.map(({ label, value, note, href }) => (
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
          <b className="block py-1 figure text-xl text-ink sm:text-2xl">{value}</b>
          {note && ` ${note}`}
        </dd>
      </div>
    ))}
  </dl>
);
