import { createElement } from 'react';
import icons from 'virtual:icons';
import type { IconName } from 'virtual:content';

export interface IconProps {
  readonly name: IconName;
  readonly className?: string;
}

/**
 * A decorative icon in the colour and size of the text around it. It is drawn as elements: in a browser, trusted types
 * forbid markup.
 */
export const Icon = ({ name, className = '' }: IconProps) => (
  <svg className={`icon ${className}`.trim()} viewBox="0 0 24 24" aria-hidden="true">
    {icons[name]?.map(([element, attributes], index) => createElement(element, { key: index, ...attributes }))}
  </svg>
);

/** An icon on the kite-shaped tile that marks cards. */
export const IconTile = ({ name, className = 'bg-tile text-hue-ink' }: IconProps) => (
  <span className={`grid h-15 w-13 flex-none place-content-center pb-2 kite ${className}`}>
    <Icon name={name} />
  </span>
);
