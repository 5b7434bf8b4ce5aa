import { CheckList } from '../ui/check-list.tsx';
import { columns } from '../ui/columns.ts';
import { IconTile } from '../ui/icon.tsx';
import { Label } from '../ui/label.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import type { Feature, SectionOf } from 'virtual:content';

type ShapeName = SectionOf<'features'>['shape'];

/** How a list of points is drawn: its grid, and in each item the icon's tile and the words. */
interface Shape {
  readonly list: (count: number) => string;
  readonly item: (feature: Feature) => string;
  readonly tile?: string;
  /** What is not the icon. */
  readonly words?: string;
  readonly heading?: string;
  /** Text and list of bullets. */
  readonly body?: string;
  readonly tinted?: boolean;
}

/** Only what leads somewhere answers to the pointer. */
const border = ({ label, href }: Feature) => {
  if (label) return 'border-2 border-hue';
  return `border border-line ${href ? 'eased hover:border-hue has-focus-visible:border-hue' : ''}`;
};

const SHAPES: Readonly<Record<ShapeName | 'pairs', Shape>> = {
  /** Boxes that stand alone, some with a label or a link. */
  cards: {
    list: (count) => `gap-cell ${columns(count)}`,
    item: (feature) => `gap-3 rounded-md bg-surface p-card ${border(feature)}`,
  },
  /** Short parallel lists under a bar. */
  columns: {
    list: (count) => `gap-cell ${columns(count)}`,
    item: () => 'relative gap-3 border-t-3 border-hue pt-5',
    tile: 'hidden',
  },
  /** Each led by a large figure. */
  metrics: {
    list: (count) => `gap-x-cell gap-y-part ${columns(count)}`,
    item: () => 'gap-3 border-t border-hue-rule-strong pt-5',
    tinted: true,
  },
  /** Arguments one after another: icon, heading and text beside each other on a wide screen. */
  rows: {
    list: () => '',
    item: () =>
      'grid-cols-[auto_1fr] gap-x-5 gap-y-3 border-t border-line py-card last:pb-0 lg:grid-cols-[4rem_4fr_7fr]',
    tile: 'bg-tile text-hue-ink col-start-1 row-span-3 row-start-1 origin-top [scale:0.85]',
    words: 'col-start-2',
    heading: 'lg:row-span-2 lg:row-start-1 lg:pr-6',
    body: 'lg:col-start-3',
  },
  /** Rows without icons: heading above text, two beside each other. */
  pairs: {
    list: (count) => `gap-x-cell ${count === 3 ? columns(count) : 'lg:grid-cols-2'}`,
    item: () => 'gap-3 border-t border-line py-card last:pb-0',
  },
  /** A few big statements beside the section's heading. */
  split: {
    list: () => '',
    item: ({ icon }) =>
      `gap-y-3 border-hue-rule py-card not-first:border-t first:pt-0 last:pb-0 ${icon ? 'grid-cols-[auto_1fr] gap-x-6' : ''}`,
    tile: 'bg-tile-on-tint text-hue-ink col-start-1 row-span-3 row-start-1',
    words: 'col-start-2',
    tinted: true,
  },
  /** Names with a small icon, as many in a line as fit. */
  tags: {
    list: () => 'auto-fill-16 gap-x-cell',
    item: () => 'grid-cols-[auto_1fr] gap-x-3 border-b border-line py-4',
    tile: 'bg-tile text-hue-ink col-start-1 row-span-2 row-start-1 -mx-1 -my-2 [scale:0.75]',
    words: 'col-start-2',
    heading: 'self-center text-lg',
    body: 'text-sm',
  },
};

/** Points of equal rank, drawn in the shape that says how they relate. */
export function Features({ section }: { section: SectionOf<'features'> }) {
  const { items, shape: name } = section;
  const shape = SHAPES[name === 'rows' && !items.every(({ icon }) => icon) ? 'pairs' : name];
  return (
    <Section
      {...section}
      ground={shape.tinted ? 'tint' : 'paper'}
      layout={name === 'split' ? 'beside, staying' : 'above'}
    >
      <ul data-shape={name} className={`grid ${shape.list(items.length)}`.trim()}>
        {items.map((item) => (
          <Item key={item.title} item={item} shape={shape} />
        ))}
      </ul>
    </Section>
  );
}

function Item({ item, shape }: { item: Feature; shape: Shape }) {
  const { icon, title, description, bullets, label, metric, metricLabel, href } = item;
  const { tile, words = '', heading = '', body = '' } = shape;
  const bodyClasses = `${words} ${body}`.trim();
  return (
    <li className={`grid content-start ${shape.item(item)}`.trim()}>
      {label && (
        <Label className={words} badge={shape === SHAPES.columns}>
          {label}
        </Label>
      )}
      {metric ? (
        <p className={`font-semibold text-hue-ink ${words}`.trim()}>
          <b className="mb-1 block figure text-3xl">{metric}</b> {metricLabel}
        </p>
      ) : (
        icon && <IconTile name={icon} {...(tile ? { className: tile } : {})} />
      )}
      <h3 className={`${words} ${heading}`.trim() || undefined}>
        {href ? (
          <a className="underline decoration-1 hover:decoration-2" href={href}>
            {title}
          </a>
        ) : (
          title
        )}
      </h3>
      {description && (
        <p className={bodyClasses || undefined}>
          <RichText>{description}</RichText>
        </p>
      )}
      {bullets && <CheckList items={bullets} className={bodyClasses} />}
    </li>
  );
}
