import { Fragment } from 'react';
import { NavLink, useLocation } from 'react-router-dom';
import { Icon } from '../components/ui/icon.tsx';
import { ServiceMark } from '../components/ui/service-mark.tsx';
import { navigation, pages, wording, type Dropdown } from 'virtual:content';
import { Logo } from '../components/ui/logo.tsx';

const BUTTON = 'button px-4 max-bar:mt-4 bar:ml-auto bar:min-h-11 bar:text-sm';
const TOGGLE = 'inline-grid size-11 cursor-pointer place-content-center bar:hidden';

/**
 * The menu's button in the bar of a small screen, on which no other call to action is in sight. Its margin is the place of the
 * menu's opener, which arrives after it.
 */
const CALL =
  'button mr-11 ml-auto min-h-11 px-2 text-sm sm:mr-13 bar:hidden max-[22rem]:hidden in-data-calm:hidden aria-[current]:hidden';

/** Current on its own page only, and without the classes that the router would add. */
const PLAIN = { end: true, discover: 'none', className: () => undefined } as const;

/**
 * Sticky top bar. Menus are `<details>` and the small screen's menu is a popover, so both open without script. The boot
 * script adds Escape, closing on a click elsewhere and the scrolled style. A link is highlighted when the current path
 * equals its address, and a dropdown when one of its links is.
 */
export const Header = () => {
  const { pathname } = useLocation();
  const [call] = navigation.menu.flatMap((entry) => ('button' in entry && entry.button ? [entry] : []));
  /**
   * Whether the hero has the page's call to action. The bar's button becomes the call once the hero's is out of sight
   * (`calmBar`).
   */
  const isCalm = pages.some(({ path, hero }) => path === pathname && hero.actions);
  return (
    <header
      data-calm={isCalm ? '' : undefined}
      className="sticky top-0 z-40 border-b border-transparent bg-paper eased [view-transition-name:top-bar] data-scrolled:border-line data-scrolled:elevation-bar low:static"
    >
      <div className="page-width flex min-h-bar items-center justify-between">
        {/* Equally wide in both faces, so the display face causes no layout shift. */}
        <Logo className="w-46 flex-none" />
        {call && (
          <NavLink to={call.href} {...PLAIN} className={() => CALL}>
            {call.label}
          </NavLink>
        )}
        <button
          className={`${TOGGLE} -ml-11`}
          type="button"
          popoverTarget="site-menu"
          aria-label={wording.frame.openMenu}
        >
          <Icon name="menu" className="size-7" />
        </button>
        {/* Aligned to the left, so that a bar that is still arriving grows without a layout shift. */}
        <nav id="site-menu" popover="auto" aria-label={wording.frame.mainMenu} className="menu-box">
          <button
            className={`${TOGGLE} fixed top-3.5 right-gutter bg-paper`}
            type="button"
            popoverTarget="site-menu"
            popoverTargetAction="hide"
            aria-label={wording.frame.closeMenu}
          >
            <Icon name="x" className="size-7" />
          </button>
          <div className="menu">
            {navigation.menu.map((entry) =>
              'links' in entry ? (
                <Menu key={entry.label} group={entry} />
              ) : (
                <Fragment key={entry.label}>
                  {entry.button && <Overview className="max-bar:mt-auto bar:hidden" />}
                  <NavLink to={entry.href} {...PLAIN} className={() => (entry.button ? BUTTON : undefined)}>
                    {entry.label}
                  </NavLink>
                </Fragment>
              ),
            )}
          </div>
        </nav>
      </div>
    </header>
  );
};

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
        <ul className="-mx-2 mt-3 grid gap-1">
          {links.map((service) => (
            <li key={service.href}>
              <NavLink to={service.href} {...PLAIN}>
                <ServiceMark href={service.href} icon={service.icon} />
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

/**
 * Link to the overview of all services: last in each dropdown, and at the lower edge of the small screen's menu, within
 * reach of the thumb.
 */
const Overview = ({ className }: { className: string }) =>
  navigation.overview && (
    <NavLink to={navigation.overview.href} {...PLAIN} className={() => className}>
      {navigation.overview.label}
    </NavLink>
  );
