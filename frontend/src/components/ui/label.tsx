/** A word or two about a card. */
export const Label = ({ children, className = '' }: { children: string; className?: string }) => (
  <p className={`text-sm font-semibold text-hue-ink ${className}`.trim()}>{children}</p>
);
