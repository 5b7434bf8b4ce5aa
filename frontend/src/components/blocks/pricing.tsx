import { FactRow } from '../ui/facts.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import type { SectionOf } from 'virtual:content';

/** Price and duration at a glance, then the factors that they depend on. */
export const Pricing = ({ section }: { section: SectionOf<'pricing'> }) => (
  <Section {...section} ground="tint">
    <FactRow facts={section.facts} />
    {section.notes && (
      <div className="grid auto-fit-20 gap-x-cell gap-y-3">
        {section.notes.map((note, index) => (
          <RichText as="p" key={index} className="max-w-measure" text={note} />
        ))}
      </div>
    )}
  </Section>
);
