import { ofCount } from '../components/of-count.ts';
import { Section } from '../components/section.tsx';
import { SiteLink } from '../components/site-link.tsx';
import type { LinkGroupsSection } from '../content/sections.ts';

/** Links in named groups. */
export const LinkGroups = ({ section }: { section: LinkGroupsSection }) => (
  <Section {...section}>
    <div className={`link-groups ${ofCount(section.groups.length)}`}>
      {section.groups.map(({ title, links }) => (
        <div key={title}>
          <h3>{title}</h3>
          <ul>
            {links.map(({ label, href }) => (
              <li key={href}>
                <SiteLink href={href}>{label}</SiteLink>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  </Section>
);
