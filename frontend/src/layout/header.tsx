import { NavLink } from 'react-router-dom';
import { Icon, IconTile } from '../components/ui/icon.tsx';
import { Mark } from '../components/ui/kite-art.tsx';
import { company, navigation } from 'virtual:content';
import type { Dropdown } from '../content/schema.ts';

/**
 * The sticky top bar. Menus are `<details>` and the small screen's menu is a popover, so everything opens before and
 * without any script; the boot adds Escape, closing on a click elsewhere and the scrolled style. A link is highlighted
 * when the current path equals its address, and a dropdown when one of its links is.
 */
export const Header = () => (
  <header className="top-bar">
    <div className="wrap">
      <a className="logo" href="/" aria-label={`${company.name}, home`}>
        <Mark />
        {company.name}
      </a>
      <button className="menu-toggle" type="button" popoverTarget="site-menu" aria-label="Menu">
        <Icon name="menu" />
      </button>
      <nav id="site-menu" popover="auto" aria-label="Main">
        <button
          className="menu-close"
          type="button"
          popoverTarget="site-menu"
          popoverTargetAction="hide"
          aria-label="Close menu"
        >
          <Icon name="x" />
        </button>
        {navigation.menu.map((entry) =>
          'links' in entry ? (
            <Menu key={entry.label} group={entry} />
          ) : (
            <NavLink key={entry.label} to={entry.href} end discover="none" className={entry.button ? 'button' : ''}>
              {entry.label}
            </NavLink>
          ),
        )}
      </nav>
    </div>
  </header>
);

const Menu = ({ group: { label: name, description, links } }: { group: Dropdown }) => (
  <details className="menu" name="site-menus">
    <summary>
      {name}
      <Icon name="chevron-down" />
    </summary>
    <div className="menu-panel">
      <p className="menu-heading">{name}</p>
      <p>{description}</p>
      <ul>
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
    </div>
  </details>
);
