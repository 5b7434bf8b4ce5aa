import type { ReactNode } from 'react';
import type { Action, Picture as PictureContent, Text } from 'virtual:content';
import { Actions } from './actions.tsx';
import { Picture } from './picture.tsx';
import { RichText } from './rich-text.tsx';

/** What a section stands on. */
const GROUNDS = {
  paper: '',
  tint: 'bg-hue-tint print:bg-transparent',
  night: 'on-night bg-night bg-night-facets',
} as const;

const BESIDE = 'lg:sticky lg:top-26 lg:self-start';

/** Where the heading stands on a wide screen: above the content, or beside it, where it can stay in view. A picture stands under it. */
const LAYOUTS = {
  above: { columns: '', head: '' },
  beside: { columns: 'lg:grid-cols-[5fr_7fr]', head: '' },
  'beside, staying': { columns: 'lg:grid-cols-[5fr_7fr]', head: BESIDE },
  'narrow, staying': { columns: 'lg:grid-cols-[4fr_8fr]', head: BESIDE },
  /** A list stands under the heading, where the column would be empty beside the content. */
  'beside, filled': { columns: 'lg:grid-cols-[5fr_7fr] lg:grid-rows-[auto_1fr] lg:gap-y-8', head: '' },
  /** What to press stands under the heading, and beside both what comes of it. */
  closing: { columns: 'lg:grid-cols-[7fr_5fr]', head: '' },
} as const;

/** How loud a section speaks: the page's one idea, what everybody reads, and what is there for those who look for it. */
const VOICES = {
  loud: { padding: 'py-loud', gap: 'gap-8', heading: 'text-title-narrow' },
  normal: { padding: 'py-band', gap: 'gap-8', heading: '' },
  quiet: { padding: 'py-part', gap: 'gap-6', heading: 'text-[1.5rem] md:text-[1.75rem]' },
} as const;

export interface SectionProps {
  readonly id?: string | undefined;
  /** What the section is. */
  readonly kind: string;
  readonly heading: string;
  readonly intro?: Text | undefined;
  readonly actions?: readonly Action[] | undefined;
  /** Wished by the content. */
  readonly quiet?: boolean | undefined;
  readonly ground?: keyof typeof GROUNDS;
  readonly layout?: keyof typeof LAYOUTS;
  readonly picture?: PictureContent | undefined;
  /** The drawing among its content, which makes it the loudest of its page. */
  readonly drawing?: object | undefined;
  readonly children?: ReactNode;
}

/** Frame of a page's section: heading, introduction, content, and what to do next. */
export function Section(props: SectionProps) {
  const { id, kind, heading, intro, actions, layout = 'above', picture, drawing, children } = props;
  const voice = props.quiet ? 'quiet' : drawing ? 'loud' : 'normal';
  const ground = props.ground ?? (drawing ? 'tint' : 'paper');
  const { columns, head } = LAYOUTS[layout];
  const { padding, gap, heading: size } = VOICES[voice];
  const body = layout === 'beside, filled' ? 'grid gap-8 lg:contents' : 'grid min-w-0 content-start gap-8';
  const press = actions && (
    <Actions
      actions={actions}
      quiet={voice === 'quiet'}
      className={layout === 'beside, filled' ? 'lg:col-start-2' : layout === 'closing' ? 'mt-8' : ''}
    />
  );
  return (
    <section
      id={id}
      data-section={kind}
      data-voice={voice === 'normal' ? undefined : voice}
      className={`${padding} ${GROUNDS[ground]}`.trim()}
    >
      <div className={`page-width grid ${gap} ${columns}`.trim()}>
        <header className={`max-w-184 ${head}`.trim()}>
          <h2 className={size || undefined}>{heading}</h2>
          {intro && (
            <RichText
              as="p"
              className={`mt-4 leading-normal text-pretty text-muted ${voice === 'quiet' ? '' : 'text-lg'}`.trim()}
              text={intro}
            />
          )}
          {picture && (
            <Picture
              picture={picture}
              sizes="(min-width: 60rem) 33rem, 100vw"
              className="mt-6 block"
              imgClassName="aspect-4/3 w-full rounded-md object-cover sm:max-lg:aspect-2/1 object-[92%_50%]"
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
