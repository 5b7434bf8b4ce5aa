import { Lines } from '../ui/check-list.tsx';
import { Drawing } from '../ui/drawing.tsx';
import { RichText, withoutBreaks } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import { motif, type SectionOf } from 'virtual:content';

type ShapeName = NonNullable<SectionOf<'process'>['shape']>;

/** Classes of a list of steps, and of the parts of each. */
interface Shape {
  readonly list: (count: number, half: boolean) => string;
  readonly item: string;
  readonly step: string;
  readonly words?: string;
  readonly title?: string;
  readonly duration: string;
  readonly text: string;
  readonly deliverables: string;
}

/** Columns of three to five steps on a wide screen, named so that no step moves when the next one arrives. */
const ROWS: Readonly<Record<number, string>> = { 3: 'xl:grid-cols-3', 4: 'xl:grid-cols-4', 5: 'xl:grid-cols-5' };

/** On a wide screen, three to five steps go from left to right, and six down two columns. */
const isRow = (count: number) => count in ROWS;

function lineOf(count: number) {
  if (isRow(count)) return `grid gap-y-4 ${ROWS[count]} xl:gap-x-cell xl:*:grid-cols-1`;
  if (count === 6) return 'grid gap-y-4 xl:grid-flow-col xl:grid-cols-2 xl:grid-rows-3 xl:gap-x-cell';
  return 'grid gap-y-4';
}

const SHAPES: Readonly<Record<ShapeName, Shape>> = {
  /** Side by side on a wide screen. */
  line: {
    list: lineOf,
    item: 'relative grid grid-cols-[3rem_1fr] content-start items-baseline',
    step: 'text-xl',
    title: 'mb-2',
    duration: 'mb-2',
    text: 'max-w-measure',
    deliverables: 'mt-2',
  },
  /** One below the other between hairlines: number, title, text, and what each leaves behind. */
  rows: {
    list: () => 'border-b border-line',
    item: 'grid grid-cols-[3rem_1fr] items-baseline border-t border-line py-5 sm:grid-cols-[4.5rem_1fr]',
    step: 'text-xl sm:-mt-4 sm:text-2xl',
    words: 'grid content-start items-baseline gap-x-cell gap-y-2 xl:grid-cols-[3fr_6fr_3fr]',
    duration: 'xl:row-start-2',
    text: 'max-w-measure xl:col-start-2 xl:row-span-2',
    deliverables: 'max-xl:mt-2 xl:row-span-2',
  },
  /** Running text, in two columns on a wide screen. The numbers are in its margin, and each title begins a sentence. */
  paragraph: {
    list: (_, half) => `text-lg ${half ? '' : 'gap-cell lg:columns-2'}`.trim(),
    item: 'grid break-inside-avoid grid-cols-[3rem_1fr] pb-10 sm:grid-cols-[4.5rem_1fr]',
    step: 'text-xl sm:text-2xl',
    title: "mr-1.5 inline text-[1em] after:content-['.']",
    duration: 'mr-1.5 inline',
    text: 'inline',
    deliverables: '',
  },
};

/** Steps in their order. */
export function Process({ section }: { section: SectionOf<'process'> }) {
  const { steps, summary, drawing, half = false, shape: name = 'line' } = section;
  const shape = SHAPES[name];
  /** Without a drawing above them, the steps of a row go up a climbing string, if the brand has kites. */
  const climbs = motif === 'kite' && name === 'line' && isRow(steps.length) && !drawing;
  const kite = name === 'line' ? 'xl:before:[scale:2] xl:before:bg-signal!' : '';
  return (
    <Section {...section}>
      {drawing && <Drawing {...drawing} />}
      <div className={climbs ? 'relative xl:my-8' : 'col-span-full'}>
        {climbs && (
          <svg
            className="absolute w-full [translate:0_-50%] fill-none stroke-hue stroke-[1.5] max-xl:hidden"
            viewBox="0 0 1280 64"
            aria-hidden="true"
          >
            <path d="M0 64 1280 0" />
          </svg>
        )}
        <ol className={`${shape.list(steps.length, half)} ${climbs ? 'climbing' : ''}`.trim()}>
          {steps.map(({ step, title, description, duration, deliverables, yours }) => (
            <li key={step} className={`${shape.item} ${yours ? kite : ''}`.trim()}>
              <span
                className={`figure ${shape.step} ${climbs ? 'xl:text-2xl' : ''} ${yours ? 'text-signal' : 'text-hue-ink'}`}
              >
                {step}
              </span>
              <div className={shape.words}>
                <h3 className={shape.title}>{title}</h3>
                {duration && (
                  <p className={`${shape.duration} figure text-lg text-hue-ink xl:text-[1.5rem]`}>
                    {withoutBreaks(duration)}
                  </p>
                )}
                <RichText as="p" className={shape.text} text={description} />
                {deliverables && <Lines items={deliverables} className={shape.deliverables} />}
              </div>{' '}
            </li>
          ))}
        </ol>
      </div>
      {summary && <RichText as="p" className="col-span-full max-w-160 text-lg font-medium" text={summary} />}
    </Section>
  );
}
