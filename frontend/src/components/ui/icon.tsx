import { createElement } from 'react';
import icons from 'virtual:icons';
import type { IconName } from 'virtual:content';

/**
 * A decorative icon in the colour and size of the text around it. It is drawn as elements: in a browser, trusted types
 * forbid markup.
 */
export const Icon = ({ name, className = '' }: { name: IconName; className?: string }) => (
  <svg className={`icon ${className}`.trim()} viewBox="0 0 24 24" aria-hidden="true">
    {icons[name]?.map(([element, attributes], index) => createElement(element, { key: index, ...attributes }))}
  </svg>
);
