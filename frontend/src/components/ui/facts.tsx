export interface FactsProps {
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  readonly className?: string;
}

/** A few facts, each beside its name. */
export const Facts = ({ facts, className = '' }: FactsProps) => (
  <dl className={`grid ${className}`.trim()}>
    {facts.map(({ label, value }) => (
      <div key={label} className="grid grid-cols-[minmax(8.5rem,1fr)_2fr] gap-4 border-t border-line py-3">
        <dt>{label}</dt>
        <dd className="font-semibold">{value}</dd>
      </div>
    ))}
  </dl>
);
