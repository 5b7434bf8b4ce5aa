import { CheckList, LINES } from '../ui/check-list.tsx';
import { columns } from '../ui/columns.ts';
import { Drawing } from '../ui/drawing.tsx';
import { Icon } from '../ui/icon.tsx';
import { Label } from '../ui/label.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import { motif, type Feature, type SectionOf } from 'virtual:content';

type ShapeName = SectionOf<'features'>['shape'];

/** Classes of a list of points: its grid, and the parts of each item. */
interface Shape {
  readonly list: (count: number) => string;
  /** The list has bullets if one of its items has. */
  readonly item: (feature: Feature, hasBullets: boolean) => string;
  /** Columns of an item with an icon. */
  readonly beside?: string;
  /** Text next to the icon. */
  readonly words?: string;
  readonly title?: string;
  /** Text and list of bullets. */
  readonly body?: string;
  /** Text of an item without bullets in a list that has some. */
  readonly lone?: string;
  /** Layout of the bullets, if they are not one below the other. */
  readonly bullets?: string;
  readonly tinted?: boolean;
}

/** Icon in its own column. */
const GUTTER = 'grid-cols-[2.5rem_1fr]';

/** Columns of a row of the ledger. The last is for bullets, and for the text of a row without. */
function ledgerOf({ readiness }: Feature, hasBullets: boolean): string {
  if (!readiness) return hasBullets ? 'xl:grid-cols-[3fr_6fr_3fr]' : 'xl:grid-cols-[3fr_9fr]';
  return `grid-cols-[1fr_auto] ${hasBullets ? 'xl:grid-cols-[13fr_5fr_18fr_12fr]' : 'xl:grid-cols-[3fr_2fr_7fr]'}`;
}

/** Rows in which two long ones leave no gap before three short ones. */
const FIVE = 'lg:grid-cols-6 lg:*:col-span-2 lg:[&>:nth-child(-n+2)]:col-span-3';

function rowsOf(count: number): string {
  if (count === 5) return FIVE;
  return count === 3 ? columns(count) : 'lg:grid-cols-2';
}

const SHAPES: Readonly<Record<ShapeName, Shape>> = {
  /** One below the other across the page: title, readiness, text, and bullets side by side. */
  ledger: {
    list: () => 'border-b border-line',
    item: (feature, hasBullets) =>
      `items-baseline gap-x-cell gap-y-1 border-t border-line py-4 ${ledgerOf(feature, hasBullets)}`,
    body: 'max-xl:col-span-full',
    lone: 'xl:col-span-2 xl:max-w-none',
    bullets: LINES,
  },
  /** Short parallel lists. */
  columns: {
    list: (count) => `gap-x-cell gap-y-8 ${columns(count)}`,
    item: ({ label }) => `relative gap-3 border-t pt-5 ${label ? 'border-hue' : 'border-line'}`,
  },
  /** Items that begin with a large figure. */
  metrics: {
    list: (count) => `gap-cell ${columns(count)}`,
    item: () => 'gap-2 border-t border-hue/35 pt-4',
    tinted: true,
  },
  /** Successive arguments, in two columns on a wide screen. */
  rows: {
    list: (count) => `gap-x-part ${rowsOf(count)}`,
    item: () => 'gap-y-2 border-t border-line py-5',
    beside: GUTTER,
    words: 'col-start-2',
    bullets: LINES,
  },
  /** A few large statements next to the section's heading. */
  split: {
    list: () => '',
    item: () => 'gap-y-3 border-hue/25 py-card not-first:border-t first:pt-0 last:pb-0',
    tinted: true,
  },
  /** Names with a few words; as bullets, names alone. */
  tags: {
    list: (count) => `gap-x-cell ${columns(count)}`,
    item: ({ bullets }) => `gap-y-1 border-t border-line py-3 ${bullets ? '[&>h3]:text-hue-ink' : ''}`.trim(),
    beside: GUTTER,
    words: 'col-start-2',
    title: 'text-lg',
    body: 'text-sm',
    bullets:
      'mt-2 font-display text-xl leading-snug font-bold max-sm:flex max-sm:flex-wrap max-sm:gap-x-5 [&>li]:pl-0 [&>li]:before:hidden',
  },
};

function layoutOf({ shape, picture }: SectionOf<'features'>) {
  if (shape === 'split') return picture ? 'pictured' : 'beside, staying';
  return 'above';
}

/** Points of equal rank, in the shape of their relation. */
export function Features({ section }: { section: SectionOf<'features'> }) {
  const { items, shape: name } = section;
  const shape = SHAPES[name];
  const hasBullets = items.some(({ bullets }) => bullets);
  return (
    <Section
      {...section}
      quiet={section.quiet ?? (name === 'tags' && !section.drawing)}
      ground={(shape.tinted && !section.quiet) || section.drawing ? 'tint' : 'paper'}
      layout={layoutOf(section)}
    >
      {section.drawing && <Drawing {...section.drawing} />}
      <ul data-shape={name} className={`grid ${shape.list(items.length)}`.trim()}>
        {items.map((item) => (
          <Item key={item.title} item={item} shape={shape} hasBullets={hasBullets} />
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

/** The part of it that is filled. */
const CLOTH = { now: WHOLE, partly: HALF, later: '' };

function Item({ item, shape, hasBullets }: { item: Feature; shape: Shape; hasBullets: boolean }) {
  const { icon, title, description, bullets, label, readiness, metric, metricLabel, href } = item;
  const isShown = icon && shape !== SHAPES.columns;
  const { beside = '', words = '' } = isShown ? shape : {};
  const bodyClasses = `${words} ${shape.body ?? ''}`.trim();
  return (
    <li className={`grid content-start ${shape.item(item, hasBullets)} ${beside}`.trim()}>
      {label && !readiness && (
        <Label className={words} badge={shape === SHAPES.columns}>
          {label}
        </Label>
      )}
      {metric ? (
        <p className={words || undefined}>
          <b className="mb-2 block figure text-2xl text-hue-ink">{metric}</b> {metricLabel}
        </p>
      ) : (
        isShown && <Icon name={icon} className="mt-0.5 text-hue-ink" />
      )}
      <h3 className={`${words} ${shape.title ?? ''}`.trim() || undefined}>
        {href ? (
          <a className="underline decoration-1 hover:decoration-2" href={href}>
            {title}
          </a>
        ) : (
          title
        )}
      </h3>
      {readiness && (
        <p className={`text-lg leading-none font-semibold ${readiness === 'later' ? '' : 'text-ink'}`.trim()}>
          <svg
            className="mr-2 inline h-5 w-4 fill-none stroke-hue stroke-[1.5] align-[-0.15em]"
            viewBox="0 0 16 22"
            aria-hidden="true"
          >
            <path className="fill-hue" d={CLOTH[readiness]} />
            <path d={WHOLE} />
          </svg>
          {label}
        </p>
      )}
      {description && (
        <RichText
          as="p"
          className={`${bodyClasses} ${hasBullets && !bullets ? (shape.lone ?? '') : ''}`.trim() || undefined}
          text={description}
        />
      )}
      {bullets && <CheckList items={bullets} className={`${shape.bullets ?? 'text-sm'} ${bodyClasses}`.trim()} />}
    </li>
  );
}
