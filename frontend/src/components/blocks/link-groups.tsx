import { navigation } from 'virtual:content';
import { ofCount } from '../ui/of-count.ts';
import { Section } from '../ui/section.tsx';
import type { SectionOf } from '../../content/schema.ts';

type Groups = SectionOf<'link-groups'>['groups'];

/** The groups that a page names, and its own. */
const groupsOf = (groups: Groups) =>
  groups.flatMap((group) => {
    if (typeof group !== 'string') return [group];
    if (group !== 'menu') return navigation.groups[group] ?? [];
    return navigation.menu.flatMap((entry) => ('links' in entry ? [{ title: entry.label, links: entry.links }] : []));
  });

/** Links in named groups. */
export const LinkGroups = ({ section }: { section: SectionOf<'link-groups'> }) => (
  <Section {...section}>
    <div className={`link-groups ${ofCount(groupsOf(section.groups).length)}`}>
      {groupsOf(section.groups).map(({ title, links }) => (
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
