import { CheckList } from '../ui/check-list.tsx';
import { columns } from '../ui/columns.ts';
import { IconTile } from '../ui/icon.tsx';
import { Label } from '../ui/label.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import type { Feature, SectionOf } from 'virtual:content';

type Shape = SectionOf<'features'>['shape'];
/** Rows without icons: heading above text, two beside each other. */
type Drawn = Shape | 'pairs';

const drawnAs = ({ shape, items }: SectionOf<'features'>): Drawn =>
  shape === 'rows' && !items.every(({ icon }) => icon) ? 'pairs' : shape;

const GROUNDS: Partial<Record<Shape, 'tint'>> = { split: 'tint', metrics: 'tint' };

const listOf = (shape: Drawn, count: number) =>
  ({
    cards: `gap-cell ${columns(count)}`,
    columns: `gap-cell ${columns(count)}`,
    metrics: `gap-x-cell gap-y-part ${columns(count)}`,
    pairs: `gap-x-cell ${count === 3 ? columns(count) : 'lg:grid-cols-2'}`,
    tags: 'auto-fill-16 gap-x-cell',
    rows: '',
    split: '',
  })[shape];

/** Points of equal rank, drawn in the shape that says how they relate. */
export function Features({ section }: { section: SectionOf<'features'> }) {
  const shape = drawnAs(section);
  return (
    <Section
      {...section}
      ground={GROUNDS[section.shape] ?? 'paper'}
      layout={shape === 'split' ? 'beside, staying' : 'above'}
    >
      <ul data-shape={section.shape} className={`grid ${listOf(shape, section.items.length)}`.trim()}>
        {section.items.map((item) => (
          <FeatureItem key={item.title} item={item} shape={shape} />
        ))}
      </ul>
    </Section>
  );
}

interface ShapeClasses {
  readonly item: string;
  /** What is not the icon. */
  readonly part?: string;
  readonly heading?: string;
  /** Text and list. */
  readonly body?: string;
  readonly tile?: string;
}

const SHAPES: Readonly<Record<Drawn, ShapeClasses>> = {
  cards: { item: 'gap-3 rounded-md bg-surface p-card' },
  rows: {
    item: 'grid-cols-[auto_1fr] gap-x-5 gap-y-3 border-t border-line py-card last:pb-0 lg:grid-cols-[4rem_4fr_7fr]',
    part: 'col-start-2',
    heading: 'lg:row-span-2 lg:row-start-1 lg:pr-6',
    body: 'lg:col-start-3',
    tile: 'bg-tile text-hue-ink col-start-1 row-span-3 row-start-1 origin-top [scale:0.85]',
  },
  pairs: { item: 'gap-3 border-t border-line py-card last:pb-0' },
  columns: { item: 'relative gap-3 border-t-3 border-hue pt-5', tile: 'hidden' },
  split: {
    item: 'gap-y-3 border-hue-rule py-card not-first:border-t first:pt-0 last:pb-0',
    part: 'col-start-2',
    tile: 'bg-tile-on-tint text-hue-ink col-start-1 row-span-3 row-start-1',
  },
  tags: {
    item: 'grid-cols-[auto_1fr] gap-x-3 border-b border-line py-4',
    part: 'col-start-2',
    heading: 'self-center text-lg',
    body: 'text-sm',
    tile: 'bg-tile text-hue-ink col-start-1 row-span-2 row-start-1 -mx-1 -my-2 [scale:0.75]',
  },
  metrics: { item: 'gap-3 border-t border-hue-rule-strong pt-5' },
};

/** Only what leads somewhere answers to the pointer. */
const LEADS_ON = 'eased hover:border-hue has-focus-visible:border-hue';

/** What depends on whether the item has an icon, a label, or a link. */
function variantOf(shape: Drawn, { icon, label, href }: Feature) {
  if (shape === 'cards' && label) return 'border-2 border-hue';
  if (shape === 'cards') return href ? `border border-line ${LEADS_ON}` : 'border border-line';
  return shape === 'split' && icon ? 'grid-cols-[auto_1fr] gap-x-6' : '';
}

function FeatureItem({ item, shape }: { item: Feature; shape: Drawn }) {
  const { item: itemClasses, part = '', heading = '', body = '', tile } = SHAPES[shape];
  const bodyClasses = `${part} ${body}`.trim();
  return (
    <li className={`grid content-start ${itemClasses} ${variantOf(shape, item)}`.trim()}>
      {item.label && (
        <Label className={part} badge={shape === 'columns'}>
          {item.label}
        </Label>
      )}
      {item.metric ? (
        <p className={`font-semibold text-hue-ink ${part}`.trim()}>
          <b className="mb-1 block figure text-3xl">{item.metric}</b> {item.metricLabel}
        </p>
      ) : (
        item.icon && <IconTile name={item.icon} {...(tile ? { className: tile } : {})} />
      )}
      <h3 className={`${part} ${heading}`.trim() || undefined}>
        {item.href ? (
          <a className="underline decoration-1 hover:decoration-2" href={item.href}>
            {item.title}
          </a>
        ) : (
          item.title
        )}
      </h3>
      {item.description && (
        <p className={bodyClasses || undefined}>
          <RichText>{item.description}</RichText>
        </p>
      )}
      {item.bullets && <CheckList items={item.bullets} className={bodyClasses} />}
    </li>
  );
}
