import type { ReactNode } from 'react';
import type { Action, Picture as PictureContent, Text } from 'virtual:content';
import { Actions } from './actions.tsx';
import { Picture } from './picture.tsx';
import { RichText } from './rich-text.tsx';
import { PageMark } from './service-mark.tsx';

/** Background of a section. */
const GROUNDS = {
  paper: '',
  tint: 'bg-sky print:bg-none',
  night: 'on-night relative isolate overflow-clip bg-night',
} as const;

const BESIDE = 'lg:sticky lg:top-26 lg:self-start';

/**
 * Position of the heading on a wide screen: above the content, or next to it, where it can stay in view. A picture is
 * below it. All columns of a page are halves, thirds or quarters of it with the same gap, so that their edges are aligned.
 */
const LAYOUTS = {
  above: { columns: '', head: '' },
  beside: { columns: 'lg:grid-cols-2', head: '' },
  'beside, staying': { columns: 'lg:grid-cols-2', head: BESIDE },
  /** The heading labels a row. */
  label: { columns: 'bar:grid-cols-4', head: '' },
  /** Next to a list. What to do next is below the heading; on a phone, below the list. */
  narrow: { columns: 'lg:grid-cols-3 lg:grid-rows-[auto_1fr]', head: '' },
  /** Above a drawing as wide as the page. What it shows is next to the heading. */
  drawn: { columns: '', head: 'gap-x-cell bar:grid bar:max-w-none bar:grid-cols-2' },
  /** A list is below the heading, where the column next to the content would be empty. */
  'beside, filled': { columns: 'lg:grid-cols-2 lg:grid-rows-[auto_1fr] lg:gap-y-8', head: '' },
  /** The same in the columns of a band. */
  'halves, filled': { columns: 'lg:grid-cols-2 lg:grid-rows-[auto_1fr]', head: '' },
  /** Actions are at the end of the heading's row, which keeps its height when they arrive after the content. */
  pressed: { columns: 'lg:grid-cols-[1fr_auto]', head: 'lg:min-h-12' },
  /** Actions are below the heading, and what follows from them is next to both. On a tablet the kite has the right edge. */
  closing: { columns: 'lg:grid-cols-2', head: 'sm:max-lg:pr-32' },
} as const;

/**
 * Emphasis of a section: the page's main idea, what every visitor reads, and what some look for. `intro` is the sentence
 * below the heading.
 */
const VOICES = {
  loud: { padding: 'py-loud', heading: 'text-loud leading-none tracking-[-0.03em]', intro: 'mt-4 max-w-160 text-xl' },
  normal: { padding: 'py-band', heading: '', intro: 'mt-4 text-lg' },
  /** The heading labels a sentence in larger letters. */
  label: { padding: 'py-band', heading: 'text-xl text-hue-ink', intro: 'mt-4' },
  quiet: { padding: 'py-part', heading: 'text-[1.5rem] md:text-[1.75rem]', intro: 'mt-2 max-w-160' },
} as const;

export interface SectionProps {
  readonly id?: string | undefined;
  /** Kind of section. */
  readonly kind: string;
  readonly heading: string;
  readonly intro?: Text | undefined;
  readonly actions?: readonly Action[] | undefined;
  /** Set by the content. */
  readonly quiet?: boolean | undefined;
  readonly tint?: boolean | undefined;
  /** Whether it is one of two in a band (`app/page-content.tsx`). */
  readonly half?: boolean | undefined;
  readonly ground?: keyof typeof GROUNDS;
  readonly layout?: keyof typeof LAYOUTS;
  readonly picture?: PictureContent | undefined;
  /** Whether the mark of the page's service is below the heading. */
  readonly marked?: boolean;
  /** Whether the content has a drawing, which makes the section the loudest of its page. */
  readonly drawing?:
    | { readonly figure?: string; readonly climbs?: boolean | undefined; readonly options?: unknown }
    | undefined;
  /** Whether the content begins with a sentence in larger letters than the heading. */
  readonly statement?: object | undefined;
  readonly children?: ReactNode;
}

function voiceOf({ quiet, drawing, statement }: SectionProps): keyof typeof VOICES {
  if (quiet) return 'quiet';
  if (drawing) return 'loud';
  return statement ? 'label' : 'normal';
}

/** A drawing that climbs has a place for its heading. */
function layoutOf({ layout, drawing }: SectionProps, voice: keyof typeof VOICES): keyof typeof LAYOUTS {
  if (layout) return layout;
  return voice === 'loud' && drawing?.figure && !drawing.climbs ? 'drawn' : 'above';
}

type OfLayout = Partial<Record<keyof typeof LAYOUTS, string>>;

/** Classes of the content. */
const BODIES: OfLayout = {
  'beside, filled': 'grid gap-8 lg:contents',
  'halves, filled': 'grid gap-8 lg:contents',
  label: 'grid min-w-0 content-start gap-6 bar:col-span-3',
  narrow: 'lg:col-span-2 lg:col-start-2 lg:row-span-2 lg:row-start-1',
  pressed: 'col-span-full row-start-2',
};

/** Classes of the actions next to the content. */
const PRESSES: OfLayout = {
  narrow: 'self-start',
  pressed: 'self-end',
};

/** Frame of a page's section: heading, introduction, content, and what to do next. */
export function Section(props: SectionProps) {
  const { id, kind, heading, intro, actions, half, tint, picture, marked, drawing, children } = props;
  const voice = voiceOf(props);
  const layout = half ? 'above' : layoutOf(props, voice);
  const ground = half ? 'paper' : (props.ground ?? (tint || drawing ? 'tint' : 'paper'));
  const groundName = ground === 'paper' ? undefined : ground;
  const { columns, head } = LAYOUTS[layout];
  const { padding, heading: size, intro: sentence } = VOICES[voice];
  const isInHead = layout === 'closing';
  const isMarked = marked && layout === 'narrow';
  const place = PRESSES[layout];
  const press = actions && (
    <Actions actions={actions} quiet={layout !== 'closing'} className={isInHead ? 'mt-6' : place} />
  );
  return (
    <section
      id={id}
      data-section={kind}
      data-voice={voice === 'normal' ? undefined : voice}
      data-ground={half ? 'half' : groundName}
      className={`${half ? VOICES.quiet.padding : padding} ${GROUNDS[ground]}`.trim()}
    >
      <div
        className={`${half ? '' : 'page-width '}grid gap-x-cell gap-y-5 ${columns} ${drawing?.climbs ? 'beside-drawing' : ''}`.trim()}
      >
        <header className={`max-w-184 ${head}`.trim()}>
          <h2 className={size || undefined}>{heading}</h2>
          {intro && <RichText as="p" className={`text-muted ${sentence}`} text={intro} />}
          {picture && (
            <Picture
              picture={picture}
              sizes="(min-width: 60rem) 46rem, 100vw"
              className="mt-6 block"
              imgClassName="aspect-3/2 w-full rounded-md object-cover object-right"
            />
          )}
          {isInHead && press}
        </header>
        <div className={BODIES[layout] ?? 'grid min-w-0 content-start gap-6'}>
          {children}
          {!isInHead && !place && press}
        </div>
        {isMarked ? (
          <div className="flex flex-col gap-5 max-lg:contents">
            {press}
            <PageMark />
          </div>
        ) : (
          !isInHead && place && press
        )}
      </div>
    </section>
  );
}
