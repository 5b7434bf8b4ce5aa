import { KiteDivider, Mark } from '../components/ui/kite-art.tsx';
import { SocialIcon } from '../components/ui/social-icon.tsx';
import { company, navigation } from 'virtual:content';
import type { Link } from '../content/schema.ts';

/** The footer of every page (spec 2.2). */
export const Footer = () => (
  <footer className="footer">
    <KiteDivider />
    <div className="wrap">
      <div className="footer-brand">
        <a className="logo" href="/" aria-label={`${company.name}, home`}>
          <Mark />
          {company.name}
        </a>
        <p>{company.blurb}</p>
        <ul className="social">
          {company.social.map(({ network, name, href }) => (
            <li key={network}>
              <a href={href} rel="me noopener" aria-label={`${company.name} on ${name}`}>
                <SocialIcon network={network} />
              </a>
            </li>
          ))}
        </ul>
      </div>
      {navigation.footer.map((group) => (
        <Column key={group} {...(navigation.groups[group] ?? { title: group, links: [] })} />
      ))}
    </div>
    <p className="wrap copyright">
      {company.copyright}{' '}
      <button className="needs-script" type="button" data-consent-choice="ask">
        Cookie settings
      </button>{' '}
      <a href="/sitemap">Sitemap</a>
    </p>
  </footer>
);

const Column = ({ title, links }: { title: string; links: readonly Link[] }) => (
  <nav aria-label={title}>
    <h2>{title}</h2>
    <ul>
      {links.map(({ label, href }) => (
        <li key={href}>
          <a href={href}>{label}</a>
        </li>
      ))}
    </ul>
  </nav>
);
