import { jobs, navigation, pages, type SectionOf } from 'virtual:content';
import { Section } from '../ui/section.tsx';

/** The groups that a page names, its own, and what none of them leads to. */
function groupsOf({ groups, rest }: SectionOf<'link-groups'>) {
  const named = groups.flatMap((group) => {
    if (typeof group !== 'string') return [group];
    if (group !== 'menu') return navigation.groups[group] ?? [];
    return navigation.menu.flatMap((entry) => ('links' in entry ? [{ title: entry.label, links: entry.links }] : []));
  });
  if (!rest) return named;
  const linked = new Set(['/404', '/sitemap', ...named.flatMap(({ links }) => links.map(({ href }) => href))]);
  const all = [
    ...pages.map(({ name, path }) => ({ label: name, href: path })),
    ...jobs.map(({ title, slug }) => ({ label: title, href: `/careers/${slug}` })),
  ];
  const links = all.filter(({ href }) => !linked.has(href));
  return links.length > 0 ? [...named, { title: rest, links }] : named;
}

const AUTO = 'auto-fill-12';

const columnsOf = (count: number) => (count === 1 ? '' : count === 3 ? `${AUTO} md:grid-cols-3` : AUTO);

/** Links in named groups. */
export function LinkGroups({ section }: { section: SectionOf<'link-groups'> }) {
  const groups = groupsOf(section);
  return (
    <Section {...section}>
      <div className={`grid gap-cell ${columnsOf(groups.length)}`.trim()}>
        {groups.map(({ title, links }) => (
          <div key={title}>
            <h3 className="mb-3">{title}</h3>
            <ul className={groups.length === 1 ? 'flex flex-wrap gap-x-8 gap-y-1' : undefined}>
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
}
