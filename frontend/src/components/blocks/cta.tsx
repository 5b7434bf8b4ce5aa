import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import type { SectionOf } from 'virtual:content';

/** The end of a page, the same everywhere: a question, what to press, and what happens then. */
export const Cta = ({ section }: { section: SectionOf<'cta'> }) => (
  <Section {...section} ground="night" layout="closing">
    {section.next && (
      <ol className="grid max-w-measure gap-4">
        {section.next.map(({ when, what }) => (
          <li key={when} className="grid gap-1 border-l-2 border-hue pl-5">
            <b>{when}</b>
            <RichText as="p" text={what} />
          </li>
        ))}
      </ol>
    )}
  </Section>
);
