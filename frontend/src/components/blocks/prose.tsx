import { Facts } from '../ui/facts.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import type { SectionOf } from 'virtual:content';

/** Paragraphs next to their heading, with optional facts below it. A section with actions is tinted. */
export function Prose({ section }: { section: SectionOf<'prose'> }) {
  const { paragraphs, facts, points, actions } = section;
  return (
    <Section {...section} ground={actions ? 'tint' : 'paper'} layout={facts ? 'beside, filled' : 'beside'}>
      <div
        className={`grid max-w-measure content-start gap-4 ${facts ? 'lg:col-start-2 lg:row-span-2 lg:row-start-1' : ''}`.trim()}
      >
        {paragraphs.map((paragraph, index) => (
          <RichText as="p" key={index} text={paragraph} />
        ))}
      </div>
      {facts && <Facts facts={facts} className="lg:col-start-1 lg:row-start-2" />}
      {points && (
        <section className="lg:col-span-2">
          <h2 className="mb-5 text-xl">{points.heading}</h2>
          <ul className="grid gap-x-cell sm:grid-cols-2 xl:grid-cols-4">
            {points.items.map(({ title, description }) => (
              <li key={title} className="grid content-start gap-2 border-t border-line py-4">
                <h3 className="text-lg">{title}</h3>
                <RichText as="p" className="text-sm" text={description} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </Section>
  );
}
