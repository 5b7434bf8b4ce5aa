import { jobs, navigation, pages, type IconName, type Link, type SectionOf } from 'virtual:content';
import { IconTile } from '../ui/icon.tsx';
import { Section } from '../ui/section.tsx';

/** A group of links; those of the menu have an icon, and the hue of the page that they lead to. */
interface Group {
  readonly title: string;
  readonly links: readonly (Link & { readonly icon?: IconName })[];
}

const hueOf = (href: string) => pages.find(({ path }) => path === href)?.hue ?? 'sky';

/** All pages that no group of navigation.yaml leads to. */
function others(): readonly Group[] {
  const groups = Object.values(navigation.groups);
  const linked = new Set(['/404', '/sitemap', ...groups.flatMap(({ links }) => links.map(({ href }) => href))]);
  const all = [
    ...pages.map(({ name, path }) => ({ label: name, href: path })),
    ...jobs.map(({ title, slug }) => ({ label: title, href: `/careers/${slug}` })),
  ];
  const links = all.filter(({ href }) => !linked.has(href));
  return links.length > 0 ? [{ title: '', links }] : [];
}

/** The groups that a page names, and its own. */
const groupsOf = ({ groups }: SectionOf<'link-groups'>) =>
  groups.flatMap((group) => {
    if (typeof group !== 'string') return [group];
    if (group === 'others') return others();
    if (group !== 'menu') return navigation.groups[group] ?? [];
    return navigation.menu.flatMap((entry) => ('links' in entry ? [{ title: entry.label, links: entry.links }] : []));
  });

const AUTO = 'auto-fill-12';

const columnsOf = (count: number) => (count === 1 ? '' : count === 3 ? `${AUTO} md:grid-cols-3` : AUTO);

/** Links in named groups. */
export function LinkGroups({ section }: { section: SectionOf<'link-groups'> }) {
  const groups = groupsOf(section);
  if (groups.length === 0) return undefined;
  return (
    <Section {...section}>
      <div className={`grid gap-cell ${columnsOf(groups.length)}`.trim()}>
        {groups.map(({ title, links }) => (
          <div key={title}>
            {title && <h3 className="mb-3 text-lg">{title}</h3>}
            <ul className={groups.length === 1 ? 'flex flex-wrap gap-x-8 gap-y-1' : undefined}>
              {links.map(({ label, href, icon }) => (
                <li key={href} className={icon && `hue-${hueOf(href)}`}>
                  <a
                    className={`${icon ? 'flex items-center gap-1' : 'inline-block py-1'} underline hover:text-signal`}
                    href={href}
                  >
                    {icon && <IconTile name={icon} className="-my-3 -ml-2 [scale:0.65] bg-tile text-hue-ink" />}
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
