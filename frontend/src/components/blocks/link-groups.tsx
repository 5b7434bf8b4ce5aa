import { LOCALE } from 'form-service/contract/locale';
import { navigation, pages, wording, type IconName, type Link, type SectionOf } from 'virtual:content';
import { priceIn } from '../ui/price.ts';
import { StringEnds } from '../ui/hero-drawing.tsx';
import { Section } from '../ui/section.tsx';
import { hueOf, kiteLine, kiteOf, ServiceMark } from '../ui/service-mark.tsx';

/** A group of links; those of the menu have an icon and a description. */
interface Group {
  readonly title: string;
  readonly links: readonly (Link & { readonly icon?: IconName; readonly description?: string })[];
}

/** Pages that no group of navigation.yaml links to. */
function others(): readonly Group[] {
  const groups = Object.values(navigation.groups);
  const linked = new Set(['/404', '/sitemap', ...groups.flatMap(({ links }) => links.map(({ href }) => href))]);
  const links = pages.flatMap(({ name, path }) => (linked.has(path) ? [] : [{ label: name, href: path }]));
  return links.length > 0 ? [{ title: '', links }] : [];
}

/** Returns the groups that a page names. */
const groupsOf = ({ groups }: SectionOf<'link-groups'>) =>
  groups.flatMap((group) => {
    if (group === 'others') return others();
    if (group !== 'menu') return navigation.groups[group] ?? [];
    return navigation.menu.flatMap((entry) => ('links' in entry ? [{ title: entry.label, links: entry.links }] : []));
  });

/** Facts of a service's page and of its engagement model. */
function factsOf(href: string) {
  const own = pages.find(({ path }) => path === href)?.sections ?? [];
  const models = pages.flatMap(({ sections }) =>
    sections.flatMap((section) => (section.kind === 'engagement-models' ? section.models : [])),
  );
  const model = models.find(({ link }) => link === href);
  return [
    ...own.flatMap((section) => ('facts' in section ? (section.facts ?? []) : [])).map(({ value }) => value),
    ...(model ? [model.pricing, model.timeline] : []),
  ];
}

const months = new Intl.NumberFormat(LOCALE, { style: 'unit', unit: 'month', unitDisplay: 'long' })
  .formatToParts(2)
  .find(({ type }) => type === 'unit')?.value;
/** A duration such as "2-8 months". */
const DURATION = new RegExp(String.raw`^\d+\D{1,5}\d+ ${months}$`);

/** Returns the starting price of a service, and its duration or the period of the price: "$8,000" and "2-8 months". */
function priceOf(href: string) {
  const facts = factsOf(href);
  const { amount, unit } = facts.map(priceIn).find((price) => price !== undefined) ?? {};
  const time = unit ? `${wording.services.per} ${unit}` : facts.find((value) => DURATION.test(value));
  return { amount, time };
}

/** A title next to its links. */
const ASIDE = 'grid gap-x-cell gap-y-2 lg:grid-cols-4';

/** Links in named groups, one below the other. Those of the menu are services, with their prices, and the hero's strings end at them. */
export function LinkGroups({ section }: { section: SectionOf<'link-groups'> }) {
  const groups = groupsOf(section);
  if (groups.length === 0) return undefined;
  const isMenu = section.groups.includes('menu');
  const { drawing } = pages.find(({ sections }) => sections.includes(section))?.hero ?? {};
  return (
    <Section {...section} {...(!isMenu && section.actions && { layout: 'pressed' })}>
      <div className={isMenu ? 'relative grid gap-y-8 bg-paper' : 'grid border-b border-line'}>
        {isMenu && drawing && <StringEnds name={drawing} />}
        {groups.map((group) =>
          isMenu ? <Services key={group.title} group={group} /> : <Links key={group.title} group={group} />,
        )}
      </div>
    </Section>
  );
}

/** A group of links in a row, next to its title, in the columns of the page. Many short ones are in halves of these. */
const Links = ({ group: { title, links } }: { group: Group }) => {
  const hasKites = links.some(({ href }) => kiteOf(href));
  const isShort = links.length > 3 && !links.some(({ label }) => /\S{14}/.test(label));
  const beside = isShort && !hasKites ? 'bar:grid-cols-6' : 'bar:grid-cols-3';
  return (
    <div className={`py-2 ${title ? `border-t border-line ${ASIDE}` : ''}`.trim()}>
      {title && <h3 className="lg:flex lg:min-h-16 lg:items-center">{title}</h3>}
      <ul
        className={`flex flex-wrap gap-x-8 bar:grid bar:gap-x-cell ${title ? 'lg:col-span-3' : ''} ${hasKites ? 'sm:grid sm:grid-cols-2 sm:max-bar:gap-y-3' : ''} ${title ? beside : 'bar:grid-cols-4'}`.trim()}
      >
        {links.map(({ label, href }) => (
          <li key={href}>
            {/* The label is first, so that the link has its width before its mark arrives. */}
            <a
              className={`relative flex min-h-12 items-center underline decoration-1 hover:text-signal lg:min-h-16 ${kiteOf(href) ? 'pl-11 leading-tight font-semibold sm:min-h-16 sm:pl-19' : ''}`.trim()}
              href={href}
            >
              {label}
              <ServiceMark href={href} className="absolute left-0 size-8 sm:size-16" />
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
};

/** A group of services as rows of a ledger: mark, name and kite, what it is, and where its price begins. */
const Services = ({ group: { title, links } }: { group: Group }) => (
  <div className={ASIDE}>
    <h3 className="text-base text-muted lg:py-4">{title}</h3>
    <ul className="lg:col-span-3">
      {links.map(({ label, href, icon, description }) => (
        <li
          key={href}
          className={`relative grid grid-cols-[auto_1fr] items-center gap-x-4 border-t border-line py-3 hover:bg-hue-wash lg:grid-cols-[4rem_1fr_auto] bar:grid-cols-[4rem_5fr_4fr_14rem] ${hueOf(href)}`}
        >
          <ServiceMark href={href} icon={icon} className={`max-lg:row-span-2 ${kiteOf(href) ? 'size-16' : 'size-9'}`} />
          <div>
            <a className="inline-block min-h-6 font-display text-lg font-bold after:absolute after:inset-0" href={href}>
              {label}
            </a>
            {kiteLine(href) && <p className="text-sm leading-snug text-muted">{kiteLine(href)}</p>}
          </div>
          <p className="max-bar:hidden">{description}</p>
          <Price {...priceOf(href)} />
        </li>
      ))}
    </ul>
  </div>
);

/** A price and its time, each in a column of its own on a wide screen. */
const Price = ({ amount, time }: ReturnType<typeof priceOf>) => (
  <span className="flex flex-wrap gap-x-3 whitespace-nowrap [font-variant-numeric:tabular-nums] lg:justify-end lg:text-right">
    {amount ? (
      <span>
        <small className="text-sm text-muted">{wording.services.from}</small> <b>{amount}</b>
      </span>
    ) : (
      wording.services.quoted
    )}
    {amount && <span className="text-muted lg:min-w-28">{time}</span>}
  </span>
);
