import { useLocation } from 'react-router-dom';
import { Icon, IconTile } from '../components/icon.tsx';
import { Mark } from '../components/kite-art.tsx';
import { SiteLink } from '../components/site-link.tsx';
import { company } from '../content/company.ts';
import { menuGroups, type MenuGroup } from '../content/navigation.ts';

/**
 * The sticky top bar. Menus are `<details>` and the small screen's menu is a popover, so everything opens before and
 * without any script; the boot adds Escape, closing on a click elsewhere and the scrolled style.
 */
export function Header() {
  const { pathname } = useLocation();
  return (
    <header className="top-bar">
      <div className="wrap">
        <SiteLink className="logo" href="/" aria-label={`${company.name}, home`}>
          <Mark />
          {company.name}
        </SiteLink>
        <button className="menu-toggle" type="button" popoverTarget="site-menu" aria-label="Menu">
          <Icon name="menu" />
        </button>
        <nav id="site-menu" popover="auto" aria-label="Main">
          <button className="menu-close" type="button" popoverTarget="site-menu" popoverTargetAction="hide" aria-label="Close menu">
            <Icon name="x" />
          </button>
          <NavLink href="/about" label="About Us" pathname={pathname} />
          {menuGroups.map((group) => (
            <Menu key={group.name} group={group} pathname={pathname} />
          ))}
          <NavLink href="/careers" label="Careers" pathname={pathname} />
          <NavLink href="/contact" label="Contact Us" pathname={pathname} className="button" />
        </nav>
      </div>
    </header>
  );
}

interface NavLinkProps {
  readonly href: string;
  readonly label: string;
  readonly pathname: string;
  readonly className?: string;
}

/** A link is highlighted when the current path equals its href (spec 2.2). */
const NavLink = ({ href, label, pathname, className }: NavLinkProps) => (
  <SiteLink href={href} className={className} aria-current={pathname === href ? 'page' : undefined}>
    {label}
  </SiteLink>
);

/**
 * A dropdown is highlighted when any of its services is active (spec 2.2). It may have been opened before React came:
 * that is no mismatch.
 */
function Menu({ group, pathname }: { group: MenuGroup; pathname: string }) {
  const active = group.services.some(({ href }) => href === pathname);
  return (
    <details className={active ? 'menu menu--active' : 'menu'} name="site-menus" suppressHydrationWarning>
      <summary>
        {group.name}
        <Icon name="chevron-down" />
      </summary>
      <div className="menu-panel">
        <p className="menu-heading">{group.name}</p>
        <p>{group.description}</p>
        <ul>
          {group.services.map(({ name, href, icon, description }) => (
            <li key={href}>
              <SiteLink href={href} aria-current={pathname === href ? 'page' : undefined}>
                <IconTile name={icon} />
                <b>{name}</b>
                <span>{description}</span>
              </SiteLink>
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}
