import { Lines } from '../ui/check-list.tsx';
import { columns } from '../ui/columns.ts';
import { Drawing } from '../ui/drawing.tsx';
import { Icon } from '../ui/icon.tsx';
import { RichText, withoutBreaks } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import { kiteOf, ServiceMark } from '../ui/service-mark.tsx';
import { motif, type Feature, type SectionOf } from 'virtual:content';

type ShapeName = SectionOf<'features'>['shape'];

/** Classes of a list of points: its grid, and the parts of each item. */
interface Shape {
  readonly list: (count: number, half: boolean, isMenu: boolean) => string;
  readonly item: (feature: Feature) => string;
  /** Columns of an item with an icon. */
  readonly beside?: string;
  /** Text next to the icon. */
  readonly words?: string;
  readonly title?: string;
  readonly bullets?: string;
}

/**
 * Two columns. Three items have a row each, with their bullets in the second column. Of five, the first has a row, if they
 * are no links.
 */
const pairs = (count: number, isMenu: boolean) => {
  if (count === 3)
    return 'lg:*:has-[>ul]:grid-cols-2 lg:*:grid-rows-[auto_1fr] lg:*:gap-x-cell lg:[&_ul]:col-start-2 lg:[&_ul]:row-span-2 lg:[&_ul]:row-start-1';
  const five = count === 5 && !isMenu ? 'sm:*:first:col-span-2 sm:*:first:[&>p]:max-w-measure' : '';
  return `sm:grid-cols-2 ${five}`.trim();
};

/** Columns in their order. Few in half of a band are one below the other. */
const rowsOf = (count: number, half: boolean) => {
  if (half && count < 5) return 'sm:[&_ul]:columns-2';
  return count === 3 ? columns(count) : 'lg:grid-cols-2';
};

const SHAPES: Readonly<Record<ShapeName, Shape>> = {
  /** Offers in two columns, next to the heading and the mark of the page's service. */
  ledger: {
    list: (count, _, isMenu) =>
      `h-full content-start gap-x-cell gap-y-4 border-b border-line pb-4 ${pairs(count, isMenu)}`.trim(),
    item: ({ readiness }) =>
      `gap-y-2 border-t border-line pt-4 ${readiness ? 'max-sm:grid-cols-[1fr_auto] max-sm:items-baseline max-sm:[&>:nth-child(n+3)]:col-span-2' : ''}`.trim(),
  },
  /** Short parallel lists. */
  columns: {
    list: (count) => `gap-x-cell gap-y-8 ${columns(count)}`,
    item: () => 'gap-3 border-t border-line pt-5',
  },
  /** Items that begin with a large figure. */
  metrics: {
    list: (count) => `grid-cols-2 gap-cell ${columns(count)}`,
    item: () => 'gap-2 border-t border-hue/35 pt-4',
  },
  /** Successive arguments, in two columns on a wide screen. */
  rows: {
    list: (count, half) => `gap-x-cell ${rowsOf(count, half)}`,
    item: () => 'gap-y-2 border-t border-line py-5',
    beside: 'grid-cols-[2.5rem_1fr]',
    words: 'col-start-2',
  },
  /** A few large statements next to the section's heading. */
  split: {
    list: () => '',
    item: () => 'gap-y-3 border-hue/25 py-card not-first:border-t first:pt-0 last:pb-0',
  },
  /** Names with a few words; as bullets, names alone. */
  tags: {
    list: (count, half) => `grid-cols-2 gap-x-cell ${half ? '' : columns(count)}`.trim(),
    item: ({ bullets }) => `gap-y-1 border-t border-line py-3 ${bullets ? '[&>h3]:text-hue-ink' : ''}`.trim(),
    beside: 'sm:grid-cols-[2.5rem_1fr]',
    words: 'sm:col-start-2',
    title: 'text-lg',
    bullets: 'mt-2 font-display text-xl font-bold max-sm:flex max-sm:flex-wrap max-sm:gap-x-5',
  },
};

function layoutOf({ shape, quiet, actions }: SectionOf<'features'>) {
  if (shape === 'split') return 'beside, staying';
  if (shape === 'ledger') return 'narrow';
  return (shape === 'rows' || shape === 'tags') && quiet && actions?.some(({ phone }) => !phone)
    ? 'pressed'
    : undefined;
}

/** Points of equal rank, in the shape of their relation. */
export function Features({ section }: { section: SectionOf<'features'> }) {
  const { items, shape: name, half = false } = section;
  const shape = SHAPES[name];
  const layout = layoutOf(section);
  return (
    <Section
      {...section}
      quiet={section.quiet ?? (name === 'tags' && !section.drawing)}
      {...(layout && { layout })}
      marked={layout === 'narrow' && !items[0]?.href}
    >
      {section.drawing && <Drawing {...section.drawing} />}
      <ul
        data-shape={name}
        className={`col-span-full grid ${shape.list(items.length, half, items[0]?.href !== undefined)}`.trim()}
      >
        {items.map((item) => (
          <Item key={item.title} item={item} shape={shape} />
        ))}
      </ul>
    </Section>
  );
}

/** A kite, or a dot, and its left half. */
const [WHOLE, HALF] =
  motif === 'kite'
    ? ['M8 1 15 8 8 21 1 8z', 'M8 1V21L1 8z']
    : ['M8 5a6 6 0 1 1 0 12a6 6 0 1 1 0-12z', 'M8 5V17a6 6 0 1 1 0-12z'];

/** A service with its kite next to the title, on a tablet above it. */
const TIED = { beside: 'grid-cols-[auto_1fr] gap-x-4 md:max-lg:*:col-span-2', words: 'col-span-2' };

/** The part of it that is filled. */
const CLOTH = { now: WHOLE, partly: HALF, later: '' };

function Item({ item, shape }: { item: Feature; shape: Shape }) {
  const { icon, title, description, bullets, label, readiness, metric, metricLabel, href } = item;
  const isShown = icon && shape !== SHAPES.columns;
  const isService = isShown && href !== undefined && kiteOf(href) !== undefined;
  const { beside = '', words = '' } = (isService && TIED) || (isShown && shape) || {};
  return (
    <li className={`grid content-start ${shape.item(item)} ${beside}`.trim()}>
      {label && !readiness && <p className={`text-sm font-semibold text-hue-ink ${words}`.trim()}>{label}</p>}
      {metric ? (
        <p className={words || undefined}>
          <b className="mb-2 block figure text-2xl text-hue-ink">{withoutBreaks(metric)}</b> {metricLabel}
        </p>
      ) : (
        isShown && !isService && <Icon name={icon} className="mt-0.5 text-hue-ink" />
      )}
      {isService && <ServiceMark href={href} className="size-16" />}
      <h3 className={isService ? 'self-center' : `${words} ${shape.title ?? ''}`.trim() || undefined}>
        {href ? (
          <a className="underline decoration-1 hover:decoration-2" href={href}>
            {title}
          </a>
        ) : (
          title
        )}
      </h3>
      {readiness && (
        <p className="figure text-xl text-ink sm:text-2xl">
          <svg
            className="mr-2 inline h-[0.8em] fill-none stroke-hue stroke-[1.5] align-[-0.15em]"
            viewBox="0 0 16 22"
            aria-hidden="true"
          >
            <path className="fill-hue" d={CLOTH[readiness]} />
            <path d={WHOLE} />
          </svg>
          {label}
        </p>
      )}
      {description && <RichText as="p" className={words || undefined} text={description} />}
      {bullets && <Lines items={bullets} className={`${shape.bullets ?? ''} ${words}`.trim()} />}
    </li>
  );
}
