import { ofCount } from '../ui/of-count.ts';
import { Section } from '../ui/section.tsx';
import type { LinkGroupsSection } from '../../content/sections.ts';

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
                <a href={href}>{label}</a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  </Section>
);
