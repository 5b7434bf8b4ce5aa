import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import type { SectionOf } from 'virtual:content';

/** Closing call to action, on some pages with what happens next as knots of a string. */
export const Cta = ({ section }: { section: SectionOf<'cta'> }) => (
  <Section {...section} ground="night" layout="closing">
    {section.next && (
      <ol className="knotted-string grid max-w-measure gap-6">
        {section.next.map(({ when, what }) => (
          <li key={when} className="grid gap-1">
            <b>{when}</b>
            <RichText as="p" text={what} />
          </li>
        ))}
      </ol>
    )}
  </Section>
);
