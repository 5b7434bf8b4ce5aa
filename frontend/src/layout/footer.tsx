import { Logo } from '../components/ui/logo.tsx';
import { SocialMark } from '../components/ui/social-mark.tsx';
import { company, navigation, wording, type Link } from 'virtual:content';

/**
 * Footer of every page. The number of columns depends on the width only, so a page that is still arriving causes no
 * layout shift. On a wide screen the cookie banner is next to the last line; on others the page has room for it.
 */
export const Footer = () => (
  <footer className="text-sm on-night">
    <div className="page-width grid grid-cols-2 gap-x-cell gap-y-6 py-part lg:grid-cols-4 bar:auto-fill-12">
      <div className="grid content-start gap-y-4 max-bar:col-span-full lg:max-bar:grid-cols-subgrid lg:max-bar:items-center">
        <Logo className="-mt-2.5" />
        <p className="max-w-80 text-muted lg:max-bar:col-span-2">{company.blurb}</p>
        {company.social && (
          <ul className="flex flex-wrap gap-2">
            {company.social.map(({ name, href }) => (
              <li key={href}>
                <a
                  className="grid h-11 min-w-11 place-content-center rounded-sm border border-on-night-line px-2.5 eased hover:bg-current/10"
                  href={href}
                  rel="me noopener"
                  aria-label={`${wording.frame.network} ${name}`}
                >
                  <SocialMark {...{ name, href }} />
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
      {navigation.footer.map((group) => (
        <Column key={group} {...(navigation.groups[group] ?? { title: group, links: [] })} />
      ))}
    </div>
    <p className="page-width flex flex-wrap items-baseline gap-x-8 gap-y-2 border-t border-on-night-line pt-3 pb-6 text-muted max-bar:[:has([data-consent=ask])_&]:pb-34">
      <span className="max-bar:mr-auto">{company.copyright}</span>{' '}
      <button className="noscript:hidden" type="button" data-consent-choice="ask">
        {wording.frame.cookieSettings}
      </button>{' '}
      <a href="/sitemap">{wording.frame.sitemap}</a>
    </p>
  </footer>
);

const Column = ({ title, links }: { title: string; links: readonly Link[] }) => (
  <nav aria-label={title}>
    <h2 className="mb-3 text-base tracking-normal">{title}</h2>
    <ul>
      {links.map(({ label, href }) => (
        <li key={href}>
          <a href={href}>{label}</a>
        </li>
      ))}
    </ul>
  </nav>
);
