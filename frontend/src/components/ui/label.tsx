export interface LabelProps {
  readonly children: string;
  readonly className?: string;
  /** Badge on the rule above an item, so that all headings of a row stay aligned. */
  readonly badge?: boolean;
}

const BADGE = 'absolute top-0 right-0 [translate:0_-58%] rounded-full bg-hue-ink px-4 py-1 text-paper';

/** A word or two about a card. */
export const Label = ({ children, className = '', badge = false }: LabelProps) => (
  <p className={`text-sm font-semibold ${badge ? BADGE : 'text-hue-ink'} ${className}`.trim()}>{children}</p>
);
