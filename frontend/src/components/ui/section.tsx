import type { ReactNode } from 'react';
import type { Action, Text } from 'virtual:content';
import { Actions } from './actions.tsx';
import { RichText } from './rich-text.tsx';

/** What a section stands on. */
const GROUNDS = {
  paper: '',
  tint: 'bg-hue-tint print:bg-transparent',
  night: 'on-night bg-night bg-night-facets',
} as const;

const BESIDE = 'lg:sticky lg:top-26 lg:self-start';

/** Where the heading stands on a wide screen: above the content, or beside it, where it can stay in view. */
const LAYOUTS = {
  above: { columns: '', head: '' },
  beside: { columns: 'lg:grid-cols-[5fr_7fr]', head: '' },
  'beside, staying': { columns: 'lg:grid-cols-[5fr_7fr]', head: BESIDE },
  'narrow, staying': { columns: 'lg:grid-cols-[4fr_8fr]', head: BESIDE },
  /** A picture or a list stands under the heading, where the column would be empty beside the content. */
  'beside, filled': { columns: 'lg:grid-cols-[5fr_7fr] lg:grid-rows-[auto_1fr] lg:gap-y-8', head: '' },
} as const;

export interface SectionProps {
  readonly id?: string | undefined;
  /** What the section is. */
  readonly kind: string;
  readonly heading: string;
  readonly intro?: Text | undefined;
  readonly actions?: readonly Action[] | undefined;
  readonly ground?: keyof typeof GROUNDS;
  readonly layout?: keyof typeof LAYOUTS;
  readonly dense?: boolean;
  readonly children?: ReactNode;
}

/** Frame of a page's section: heading, introduction, content, and what to do next. */
export function Section(props: SectionProps) {
  const { id, kind, heading, intro, actions, ground = 'paper', layout = 'above', dense = false, children } = props;
  const { columns, head } = LAYOUTS[layout];
  const space = dense ? 'py-part' : 'py-band';
  const body = layout === 'beside, filled' ? 'grid gap-8 lg:contents' : 'grid min-w-0 content-start gap-8';
  return (
    <section id={id} data-section={kind} className={`${space} ${GROUNDS[ground]}`.trim()}>
      <div className={`page-width grid gap-part ${columns}`.trim()}>
        <header className={`${ground === 'night' ? 'max-w-216' : 'max-w-184'} ${head}`.trim()}>
          <h2>{heading}</h2>
          {intro && (
            <p className="mt-4 text-lg leading-normal text-balance text-muted">
              <RichText>{intro}</RichText>
            </p>
          )}
        </header>
        <div className={body}>
          {children}
          {actions && <Actions actions={actions} className={layout === 'beside, filled' ? 'lg:col-start-2' : ''} />}
        </div>
      </div>
    </section>
  );
}
