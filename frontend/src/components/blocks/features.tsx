import { CheckList } from '../ui/check-list.tsx';
import { columns } from '../ui/columns.ts';
import { IconTile } from '../ui/icon.tsx';
import { Label } from '../ui/label.tsx';
import { plainText, RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import type { Feature, SectionOf, Text } from 'virtual:content';

type ShapeName = SectionOf<'features'>['shape'];

/** How a list of points is drawn: its grid, and in each item the icon's tile and the words. */
interface Shape {
  readonly list: (count: number) => string;
  readonly item: (feature: Feature) => string;
  /** Of an item that has an icon: the columns of both, and the icon's tile. */
  readonly beside?: string;
  readonly tile?: string;
  /** What is not the icon. */
  readonly words?: string;
  readonly heading?: string;
  readonly title?: string;
  /** Text and list of bullets. */
  readonly body?: string;
  readonly tinted?: boolean;
}

/** Only what leads somewhere answers to the pointer. */
const border = ({ label, href }: Feature) => {
  if (label) return 'border-2 border-hue';
  return `border border-line ${href ? 'eased hover:border-hue has-focus-visible:border-hue' : ''}`;
};

const TWO_COLUMNS = 'grid-cols-[auto_1fr] gap-x-3';
/** A heading in the line of its icon. */
const BESIDE_ICON = 'col-start-2 self-center';

const SHAPES: Readonly<Record<ShapeName | 'pairs', Shape>> = {
  /** Boxes that stand alone, some with a label or a link. */
  cards: {
    list: (count) => `gap-cell ${columns(count)}`,
    item: (feature) => `gap-y-2 rounded-md bg-surface p-card ${border(feature)}`,
    beside: TWO_COLUMNS,
    tile: 'bg-tile text-hue-ink -mx-1 -my-1 [scale:0.8]',
    words: 'col-span-2',
    heading: BESIDE_ICON,
  },
  /** Short parallel lists under a bar. */
  columns: {
    list: (count) => `gap-cell ${columns(count)}`,
    item: () => 'relative gap-3 border-t-3 border-hue pt-5',
    tile: 'hidden',
  },
  /** Each led by a large figure. */
  metrics: {
    list: (count) => `gap-cell ${columns(count)}`,
    item: () => 'gap-2 border-t border-hue/35 pt-4',
    tinted: true,
  },
  /** Arguments one after another, in two or three columns on a wide screen. */
  rows: {
    list: (count) => `gap-x-part ${count % 3 === 0 ? 'md:grid-cols-2 xl:grid-cols-3' : 'lg:grid-cols-2'}`,
    item: () => 'gap-y-1 border-t border-line py-4',
    beside: TWO_COLUMNS,
    tile: 'bg-tile text-hue-ink -mx-1 -my-2 [scale:0.75]',
    words: 'col-span-2',
    heading: BESIDE_ICON,
  },
  /** Rows without icons: heading above text, two beside each other. */
  pairs: {
    list: (count) => `gap-x-cell ${count === 3 ? columns(count) : 'lg:grid-cols-2'}`,
    item: () => 'gap-3 border-t border-line py-card last:pb-0',
  },
  /** A few big statements beside the section's heading. */
  split: {
    list: () => '',
    item: () => 'gap-y-3 border-hue/25 py-card not-first:border-t first:pt-0 last:pb-0',
    beside: 'grid-cols-[auto_1fr] gap-x-6',
    tile: 'bg-tile-on-tint text-hue-ink col-start-1 row-span-3 row-start-1',
    words: 'col-start-2',
    tinted: true,
  },
  /** Names with a few words, four in a line, or as many as fit beside the heading. */
  tags: {
    list: (count) => `gap-x-cell ${count % 4 === 0 ? columns(count) : 'auto-fill-14'}`,
    item: () => 'gap-y-1 border-t border-line py-3',
    beside: TWO_COLUMNS,
    tile: 'bg-tile text-hue-ink col-start-1 row-span-2 row-start-1 -mx-1 -my-2 [scale:0.75]',
    words: 'col-start-2',
    heading: BESIDE_ICON,
    title: 'text-lg',
    body: 'text-sm',
  },
};

function layoutOf(name: ShapeName, count: number) {
  if (name === 'split') return 'beside, staying';
  return name === 'tags' && count % 4 !== 0 ? 'narrow, staying' : 'above';
}

/** Points of equal rank, drawn in the shape that says how they relate. */
export function Features({ section }: { section: SectionOf<'features'> }) {
  const { items, shape: name } = section;
  const shape = SHAPES[name === 'rows' && !items.every(({ icon }) => icon) ? 'pairs' : name];
  return (
    <Section
      {...section}
      quiet={section.quiet ?? name === 'tags'}
      ground={shape.tinted && !section.quiet ? 'tint' : 'paper'}
      layout={layoutOf(name, items.length)}
    >
      <ul data-shape={name} className={`grid ${shape.list(items.length)}`.trim()}>
        {items.map((item) => (
          <Item key={item.title} item={item} shape={shape} />
        ))}
      </ul>
    </Section>
  );
}

/** Points of a few words read well one after the other; sentences do not. */
const isLine = (bullets: readonly Text[]) => bullets.every((bullet) => plainText(bullet).length < 50);

function Item({ item, shape }: { item: Feature; shape: Shape }) {
  const { icon, title, description, bullets, label, metric, metricLabel, href } = item;
  const { beside = '', tile, words = '', heading = words } = icon ? shape : {};
  const bodyClasses = `${words} ${shape.body ?? ''}`.trim();
  return (
    <li className={`grid content-start ${shape.item(item)} ${beside}`.trim()}>
      {label && (
        <Label className={words} badge={shape === SHAPES.columns}>
          {label}
        </Label>
      )}
      {metric ? (
        <p className={`font-semibold text-hue-ink ${words}`.trim()}>
          <b className="mb-1 block figure text-2xl lg:text-3xl">{metric}</b> {metricLabel}
        </p>
      ) : (
        icon && <IconTile name={icon} {...(tile ? { className: tile } : {})} />
      )}
      <h3 className={`${heading} ${shape.title ?? ''}`.trim() || undefined}>
        {href ? (
          <a className="underline decoration-1 hover:decoration-2" href={href}>
            {title}
          </a>
        ) : (
          title
        )}
      </h3>
      {description && <RichText as="p" className={bodyClasses || undefined} text={description} />}
      {bullets && (
        <CheckList items={bullets} className={`${isLine(bullets) ? 'check-line' : ''} ${bodyClasses}`.trim()} />
      )}
    </li>
  );
}
