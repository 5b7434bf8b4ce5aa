import type { ReactNode } from 'react';
import type { Action, Picture as PictureContent, Text } from 'virtual:content';
import { Actions } from './actions.tsx';
import { Picture } from './picture.tsx';
import { RichText } from './rich-text.tsx';

/** Background of a section. */
const GROUNDS = {
  paper: '',
  tint: 'bg-sky print:bg-none',
  night: 'on-night relative isolate overflow-clip bg-night',
} as const;

const BESIDE = 'lg:sticky lg:top-26 lg:self-start';

/**
 * Position of the heading on a wide screen: above the content, or next to it, where it can stay in view. A picture is
 * below it.
 */
const LAYOUTS = {
  above: { columns: '', head: '' },
  beside: { columns: 'lg:grid-cols-[5fr_7fr]', head: '' },
  'beside, staying': { columns: 'lg:grid-cols-[5fr_7fr]', head: BESIDE },
  /** A picture under the heading takes the wider half. */
  pictured: { columns: 'lg:grid-cols-[7fr_5fr]', head: BESIDE },
  /** The heading labels a row. */
  label: { columns: 'bar:grid-cols-[1fr_3fr]', head: '' },
  'narrow, staying': { columns: 'lg:grid-cols-[4fr_8fr]', head: BESIDE },
  /** A list is below the heading, where the column next to the content would be empty. */
  'beside, filled': { columns: 'lg:grid-cols-[5fr_7fr] lg:grid-rows-[auto_1fr] lg:gap-y-8', head: '' },
  /** Actions are below the heading, and their results next to both. */
  closing: { columns: 'lg:grid-cols-[7fr_5fr]', head: '' },
} as const;

/** Emphasis of a section: the page's main idea, what every visitor reads, and what some look for. */
const VOICES = {
  loud: { padding: 'py-loud', gap: 'gap-6', heading: 'text-loud leading-none tracking-[-0.03em]' },
  normal: { padding: 'py-band', gap: 'gap-8', heading: '' },
  /** The heading labels a sentence in larger letters. */
  label: { padding: 'py-band', gap: 'gap-6', heading: 'text-xl text-hue-ink' },
  quiet: { padding: 'py-part', gap: 'gap-6', heading: 'text-[1.5rem] md:text-[1.75rem]' },
} as const;

/** Sentence below a heading. */
const INTRO = { loud: 'max-w-160 text-xl', normal: 'text-lg', label: '', quiet: 'max-w-160' } as const;

export interface SectionProps {
  readonly id?: string | undefined;
  /** Kind of section. */
  readonly kind: string;
  readonly heading: string;
  readonly intro?: Text | undefined;
  readonly actions?: readonly Action[] | undefined;
  /** Set by the content. */
  readonly quiet?: boolean | undefined;
  readonly ground?: keyof typeof GROUNDS;
  readonly layout?: keyof typeof LAYOUTS;
  readonly picture?: PictureContent | undefined;
  /** Whether the content has a drawing, which makes the section the loudest of its page. */
  readonly drawing?: { readonly climbs?: boolean | undefined; readonly [part: string]: unknown } | undefined;
  /** Whether the content begins with a sentence in larger letters than the heading. */
  readonly statement?: object | undefined;
  readonly children?: ReactNode;
}

function voiceOf({ quiet, drawing, statement }: SectionProps): keyof typeof VOICES {
  if (quiet) return 'quiet';
  if (drawing) return 'loud';
  return statement ? 'label' : 'normal';
}

/** Place of what to do next. */
const ACTIONS: Partial<Record<keyof typeof LAYOUTS, string>> = { 'beside, filled': 'lg:col-start-2', closing: 'mt-8' };

/** Frame of a page's section: heading, introduction, content, and what to do next. */
export function Section(props: SectionProps) {
  const { id, kind, heading, intro, actions, layout = 'above', picture, drawing, children } = props;
  const voice = voiceOf(props);
  const ground = props.ground ?? (drawing ? 'tint' : 'paper');
  const { columns, head } = LAYOUTS[layout];
  const { padding, gap, heading: size } = VOICES[voice];
  const body = layout === 'beside, filled' ? 'grid gap-8 lg:contents' : 'grid min-w-0 content-start gap-8';
  const press = actions && <Actions actions={actions} quiet={layout !== 'closing'} className={ACTIONS[layout] ?? ''} />;
  return (
    <section
      id={id}
      data-section={kind}
      data-voice={voice === 'normal' ? undefined : voice}
      data-ground={ground === 'paper' ? undefined : ground}
      className={`${padding} ${GROUNDS[ground]}`.trim()}
    >
      <div className={`page-width grid ${gap} ${columns} ${drawing?.climbs ? 'beside-drawing' : ''}`.trim()}>
        <header
          className={`max-w-184 ${head}`.trim()}
          data-head={intro && layout === 'above' && voice !== 'loud' ? '' : undefined}
        >
          <h2 className={size || undefined}>{heading}</h2>
          {intro && (
            <RichText as="p" className={`mt-4 leading-normal text-muted ${INTRO[voice]}`.trim()} text={intro} />
          )}
          {picture && (
            <Picture
              picture={picture}
              sizes="(min-width: 60rem) 46rem, 100vw"
              className="mt-6 block"
              imgClassName="aspect-3/2 w-full rounded-md object-cover object-right"
            />
          )}
          {layout === 'closing' && press}
        </header>
        <div className={body}>
          {children}
          {layout !== 'closing' && press}
        </div>
      </div>
    </section>
  );
}
