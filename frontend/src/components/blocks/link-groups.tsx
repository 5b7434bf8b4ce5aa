import { Section } from '../ui/section.tsx';
import type { LinkGroupsSection } from '../../content/sections.ts';

const AUTO = 'auto-fill-12';

const columnsOf = (count: number) => (count === 1 ? '' : count === 3 ? `${AUTO} md:grid-cols-3` : AUTO);

/** Links in named groups. */
export const LinkGroups = ({ section }: { section: LinkGroupsSection }) => (
  <Section {...section}>
    <div className={`grid gap-cell ${columnsOf(section.groups.length)}`.trim()}>
      {section.groups.map(({ title, links }) => (
        <div key={title}>
          <h3 className="mb-3">{title}</h3>
          <ul className={section.groups.length === 1 ? 'flex flex-wrap gap-x-8 gap-y-1' : undefined}>
            {links.map(({ label, href }) => (
              <li key={href}>
                <a className="inline-block py-[0.35rem] underline hover:text-signal" href={href}>
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
