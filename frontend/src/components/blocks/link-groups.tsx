import { navigation } from 'virtual:content';
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

const AUTO = 'auto-fill-12';

const columnsOf = (count: number) => (count === 1 ? '' : count === 3 ? `${AUTO} md:grid-cols-3` : AUTO);

/** Links in named groups. */
export const LinkGroups = ({ section }: { section: SectionOf<'link-groups'> }) => (
  <Section {...section}>
    <div className={`grid gap-cell ${columnsOf(groupsOf(section.groups).length)}`.trim()}>
      {groupsOf(section.groups).map(({ title, links }) => (
        <div key={title}>
          <h3 className="mb-3">{title}</h3>
          <ul className={groupsOf(section.groups).length === 1 ? 'flex flex-wrap gap-x-8 gap-y-1' : undefined}>
            {links.map(({ label, href }) => (
              <li key={href}>
                <a className="inline-block py-1 underline hover:text-signal" href={href}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  </Section>
);
