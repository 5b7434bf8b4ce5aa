import { FactRow, StatList } from '../ui/facts.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import type { SectionOf } from 'virtual:content';

/** Facts at a glance, then what they depend on. Quiet ones are figures in a row. */
export const FactPanel = ({ section }: { section: SectionOf<'facts'> }) => {
  const { facts, notes, quiet, actions, half = false } = section;
  return (
    <Section {...section} layout={quiet ? 'label' : 'halves, filled'}>
      {quiet ? (
        <StatList stats={facts} half={half} />
      ) : (
        <FactRow
          facts={facts}
          className={half ? '' : `lg:col-start-2 ${actions ? 'lg:row-span-3' : 'lg:row-span-2'} lg:row-start-1`}
        />
      )}
      {notes && (
        <div className="grid content-start gap-y-3">
          {notes.map((note, index) => (
            <RichText as="p" key={index} className="max-w-measure" text={note} />
          ))}
        </div>
      )}
    </Section>
  );
};
