import sprite from 'virtual:icon-sprite';
import type { IconName } from 'virtual:content';

export interface IconProps {
  readonly name: IconName;
  readonly className?: string;
}

/** A decorative icon in the colour and size of the text around it. */
export const Icon = ({ name, className = '' }: IconProps) => (
  <svg className={`icon ${className}`.trim()} aria-hidden="true">
    <use href={`${sprite}#${name}`} />
  </svg>
);

/** An icon on the kite-shaped tile that marks cards. */
export const IconTile = ({ name, className = 'bg-tile text-hue-ink' }: IconProps) => (
  <span className={`grid h-15 w-13 flex-none place-content-center pb-2 kite ${className}`}>
    <Icon name={name} />
  </span>
);
