import { FactRow, StatList } from '../ui/facts.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import type { SectionOf } from 'virtual:content';

/** Facts at a glance, then what they depend on. Quiet ones are figures in a row. */
export const FactPanel = ({ section }: { section: SectionOf<'facts'> }) => {
  const { facts, notes, quiet, half = false } = section;
  return (
    <Section {...section} {...(quiet ? { layout: 'label' } : { layout: 'beside', ground: 'tint' })}>
      {quiet ? <StatList stats={facts} half={half} /> : <FactRow facts={facts} />}
      {notes && (
        <div className="grid auto-fit-20 gap-x-cell gap-y-3">
          {notes.map((note, index) => (
            <RichText as="p" key={index} className="max-w-measure" text={note} />
          ))}
        </div>
      )}
    </Section>
  );
};
