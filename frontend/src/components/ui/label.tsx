export interface LabelProps {
  readonly children: string;
  readonly className?: string;
}

/** A word or two about a card. */
export const Label = ({ children, className = '' }: LabelProps) => (
  <p className={`text-sm font-semibold text-hue-ink ${className}`.trim()}>{children}</p>
);
