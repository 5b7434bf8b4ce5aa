import { Fragment } from 'react';
import { NavLink, useLocation } from 'react-router-dom';
import { Icon, IconTile } from '../components/ui/icon.tsx';
import { navigation } from 'virtual:content';
import { Logo } from '../components/ui/kite-art.tsx';
import type { Dropdown } from 'virtual:content';

const BUTTON = 'button px-4 max-bar:mt-4 max-bar:min-h-13 max-bar:text-lg bar:ml-auto bar:min-h-11 bar:text-sm';
const TOGGLE = 'inline-grid size-11 cursor-pointer place-content-center bar:hidden';

/**
 * The sticky top bar. Menus are `<details>` and the small screen's menu is a popover, so everything opens before and
 * without any script; the boot adds Escape, closing on a click elsewhere and the scrolled style. A link is highlighted
 * when the current path equals its address, and a dropdown when one of its links is.
 */
export const Header = () => (
  <header className="sticky top-0 z-40 border-b border-transparent bg-paper eased [view-transition-name:top-bar] data-scrolled:border-line data-scrolled:elevation-bar low:static">
    <div className="page-width flex min-h-bar items-center justify-between">
      {/* As wide in either face: nothing beside it moves when the font comes. */}
      <Logo className="w-46 flex-none" />
      <button className={TOGGLE} type="button" popoverTarget="site-menu" aria-label="Menu">
        <Icon name="menu" className="size-7" />
      </button>
      {/* From the left, so that a bar that is still arriving grows without moving. */}
      <nav id="site-menu" popover="auto" aria-label="Main" className="menu">
        <button
          className={`${TOGGLE} fixed top-3.5 right-gutter bg-paper`}
          type="button"
          popoverTarget="site-menu"
          popoverTargetAction="hide"
          aria-label="Close menu"
        >
          <Icon name="x" className="size-7" />
        </button>
        {navigation.menu.map((entry) =>
          'links' in entry ? (
            <Menu key={entry.label} group={entry} />
          ) : (
            <Fragment key={entry.label}>
              {entry.button && <Overview className="max-bar:mt-auto bar:hidden" />}
              <NavLink to={entry.href} end discover="none" className={entry.button ? BUTTON : ''}>
                {entry.label}
              </NavLink>
            </Fragment>
          ),
        )}
      </nav>
    </div>
  </header>
);

function Menu({ group: { label: name, description, links } }: { group: Dropdown }) {
  const { pathname } = useLocation();
  const isCurrent = links.some(({ href }) => href === pathname);
  return (
    <details name="site-menus">
      <summary data-current={isCurrent || undefined}>
        {name}
        <Icon name="chevron-down" className="size-[1em] eased" />
      </summary>
      <div>
        <p className="font-display text-lg leading-tight font-bold max-bar:hidden">{name}</p>
        <p className="text-sm text-muted">{description}</p>
        <ul className="mt-3 grid gap-1">
          {links.map((service) => (
            <li key={service.href}>
              <NavLink to={service.href} end discover="none">
                <IconTile name={service.icon} />
                <b>{service.label}</b>
                <span>{service.description}</span>
              </NavLink>
            </li>
          ))}
        </ul>
        <Overview className="mt-3 inline-block py-2 font-semibold underline max-bar:hidden" />
      </div>
    </details>
  );
}

/** The page of everything on offer: at the end of each dropdown, and at the lower edge of the small screen's menu, under the thumb. */
const Overview = ({ className }: { className: string }) =>
  navigation.overview && (
    <NavLink to={navigation.overview.href} end discover="none" className={className}>
      {navigation.overview.label}
    </NavLink>
  );
