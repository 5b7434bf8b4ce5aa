import type { ReactNode } from 'react';
import type { Action, Text } from '../../content/schema.ts';
import { Actions } from './actions.tsx';
import { RichText } from './rich-text.tsx';

export interface SectionProps {
  readonly id?: string | undefined;
  readonly heading: string;
  readonly intro?: Text | undefined;
  readonly actions?: readonly Action[] | undefined;
  /** Modifier of the `section` class: what the section is, for its shape and ground. */
  readonly kind: string;
  readonly children?: ReactNode;
}

/** Frame of a page's section: heading, introduction, content, and what to do next. */
export function Section({ id, heading, intro, actions, kind, children }: SectionProps) {
  return (
    <section className={`section section--${kind}`} id={id}>
      <div className="wrap">
        <header className="section-head">
          <h2>{heading}</h2>
          {intro && (
            <p className="intro">
              <RichText>{intro}</RichText>
            </p>
          )}
        </header>
        <div className="section-body">
          {children}
          {actions && <Actions actions={actions} />}
        </div>
      </div>
    </section>
  );
}
