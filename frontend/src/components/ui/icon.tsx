import sprite from 'virtual:icon-sprite';
import type { IconName } from '../../content/schema.ts';

/** A decorative icon in the colour and size of the text around it. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg className="icon" aria-hidden="true">
    <use href={`${sprite}#${name}`} />
  </svg>
);

/** An icon on the kite-shaped tile that marks cards. */
export const IconTile = ({ name }: { name: IconName }) => (
  <span className="icon-tile">
    <Icon name={name} />
  </span>
);
